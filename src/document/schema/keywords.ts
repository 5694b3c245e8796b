/** The keywords that hold a schema. Whatever is below others is data. */
export const WITH_SCHEMA = [
  ...['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
]

/** Those that hold a list of schemas. */
export const WITH_SCHEMAS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']

/** Those that hold schemas by names. */
export const WITH_NAMED_SCHEMAS = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']

/** Below these keywords, keys are names that the document chose: a property may be called `default`. */
export const NAME_MAPS: ReadonlySet<string> = new Set([
  ...['paths', 'responses', 'content', 'headers', 'examples', 'encoding', 'variables', 'links', 'callbacks', 'mapping'],
  ...['schemas', 'parameters', 'requestBodies', 'securitySchemes', 'pathItems', 'webhooks', 'scopes'],
  ...WITH_NAMED_SCHEMAS,
])

/** Of these, the ones that schemas have, or are in. */
export const NAME_MAPS_OF_SCHEMAS = [...WITH_NAMED_SCHEMAS, 'schemas', 'mapping']

/** Below these keywords of schemas are values. */
export const VALUES = ['default', 'enum', 'const']

/** Below these keywords are values, which may look like references or schemas. */
export const DATA: ReadonlySet<string> = new Set([...VALUES, 'example', 'value'])

/** The keywords that make a schema of others. */
export const COMPOSITIONS = ['allOf', 'anyOf', 'oneOf', 'not']

/** The keywords that say which values there are: a schema without them may be described by an example. */
export const SHAPES = [
  ...['properties', 'additionalProperties', 'patternProperties', 'items', 'prefixItems', 'enum', 'const'],
  ...COMPOSITIONS,
]

/** Keywords that concern the property which has the schema, not its type. */
export const ANNOTATIONS = ['title', 'description', 'default', 'example', 'readOnly', 'writeOnly', 'deprecated']

/** Keywords that may stand beside a choice between a schema and null. */
export const BESIDE_NULL = [...ANNOTATIONS, 'examples', 'discriminator', 'anyOf', 'oneOf']

/** What may stand beside a reference without changing what it means. */
export const BESIDE_REFERENCE = /^(\$comment|description|summary|title|deprecated|externalDocs|x-.*)$/

/** What says more about the property that has a reference than about what it refers to. */
export const OF_PROPERTY = ['readOnly', 'writeOnly', 'default']
