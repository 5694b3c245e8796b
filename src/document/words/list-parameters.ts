/** The query parameters of lists, by their normalized names. */
export const SIZE =
  /^(limit|size|count|take|top|first|(items|results|records)?perpage|page(size|limit)|max(results|items|pagesize)|pagelength)$/
export const PAGE = /^(page|page(number|no|num|index)|currentpage)$/
export const OFFSET = /^(offset|skip|start|startindex|startat|from|pageoffset|firstresult)$/
export const CURSOR =
  /^(cursor|after|(starting|start|search)after|(after|start|end)cursor|(after|start|starting|page|scroll)(token|key|cursor|after)|(next|continuation)(page)?(token|cursor|key)|continue|marker|next|nexttoken|sinceid|minid|bookmark|iterator|scroll(id|param)?|(exclusivestart|last|lastevaluated)key)$/
/** Cursors if they are no numbers. */
export const OPAQUE_POSITION = /^(page|offset)$/
/** Cursors that are ids of records. */
export const BY_ID = /^(startingafter|startafter|after|sinceid|after(id|record)|lastid)$/
export const BEFORE = /^(endingbefore|endbefore|before|before(id|record))$/
/** Cursors that are ids, and lead to what is older: such a list starts with the newest. */
export const OLDER = /^(maxid|untilid|olderthan(id)?|before(id)?)$/
/** What a description says about such a list. */
export const NEWEST =
  /\b(newest|latest|most recent(ly)?( (created|added|updated))?)\b[^.]{0,40}\bfirst\b|\breverse[- ]chronological|\bdescending\b[^.]{0,40}\b(creat|date|time)|\b(creat\w*|date|time)\b[^.]{0,30}\b(in )?descending\b/i
/** Words for the same: a parameter may have another one than the property. */
export const SAME = [['state', 'status']]
/** What objects are selected by, where a parameter names no more than the object. Normalized. */
export const SELECTING = ['id', 'uuid', 'gid', 'slug', 'key', 'login', 'username', 'name', 'code', 'email', 'title']
export const SORT = /^(sort|sortby|sorting|sortfield|sortkey|sortcolumn|ordering|order|orderby)$/
export const DIRECTION = /^(order|direction|dir|(sort|order)(order|direction|dir|type)|sort|orderby)$/
export const SEARCH = /^(q|query|search|(search|query)(term|text|query|string)?|keywords?|term|text)$/

/** Parameters that name a property in brackets: `filter[status]`. */
export const WITH_PROPERTY = /^(?:filters?|where|query|q)\[([^[\]]+)\]$/i

/** Words beside the name of a property that make a bound of it: `min_price`, `price[gte]`, `created_after`. */
export const BOUNDS = {
  minimum: { inclusive: 'min minimum gte since from least', exclusive: 'gt after above' },
  maximum: { inclusive: 'max maximum lte until to most', exclusive: 'lt before below' },
}

/** What the name of a property may have after a stem: `created` stands for `created_at`. */
export const STEM_ENDS = ['at', 'on', 'date', 'time']

/** Values of a filter that select every record. */
export const EVERY = /^(all|any|\*)$/i

/** Values of a parameter that says in which direction to sort. */
export const DIRECTIONS = /^(asc|desc)(ending)?$|^[+-]?1$/i

/** Those that mean from the last to the first. */
export const DESCENDING = /^desc|^-1/i

/** Parameters that say what of a record is returned: a property in the singular is something else. */
export const RETURNED = /^(opt)?(fields|columns|includes|expands|embeds|properties|attributes|options|filters|details)$/
