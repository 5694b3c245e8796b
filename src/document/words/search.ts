/** The last words of paths that find records. */
export const FINDING = /^(search|query|find|lookup|filter|list|typeahead|autocomplete|suggest)$/

/** What objects with one condition of a search call its parts, normalized. */
export const CONDITION = {
  property: /^(field|fieldname|property|propertyname|attribute|key|column|path|member)$/,
  operator: /^(operator|op|comparator|comparison|condition|predicate)$/,
  value: /^(values?|operand|term)$/,
}

/** What the operators of conditions mean, normalized or as they are. */
export const OPERATORS: readonly (readonly [name: RegExp, means: Comparison])[] = [
  [/^(=|==|eq|equals?|is)$/i, 'equal'],
  [/^(!=|<>|ne|neq|notequals?|isnot)$/i, 'unequal'],
  [/^(>|gt|greaterthan|after)$/i, 'above'],
  [/^(>=|gte|ge|greaterthanorequal(s|to)?)$/i, 'from'],
  [/^(<|lt|lessthan|before)$/i, 'below'],
  [/^(<=|lte|le|lessthanorequal(s|to)?)$/i, 'to'],
  [/^(~|contains?|like|ilike|match|matches|includes)$/i, 'contains'],
  [/^(!~|notcontains?|notlike)$/i, 'lacks'],
  [/^(\^|startswith|prefix|beginswith)$/i, 'starts'],
  [/^(\$|endswith|suffix)$/i, 'ends'],
  [/^(in|anyof)$/i, 'in'],
  [/^(nin|notin|noneof)$/i, 'notIn'],
]

export type Comparison =
  | 'equal'
  | 'unequal'
  | 'above'
  | 'from'
  | 'below'
  | 'to'
  | 'contains'
  | 'lacks'
  | 'starts'
  | 'ends'
  | 'in'
  | 'notIn'
