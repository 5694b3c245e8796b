/** A collection as `GET /__admin/data` describes it. */
export interface CollectionDescription {
  name: string
  noun: string
  title: string
  path: string
  id: { property: string; kind: 'int64' | 'integer' | 'uuid' | 'digits' | 'text' }
  fields: FieldDescription[]
  filters: { parameter: string; property?: string; type?: string; enum?: unknown[]; isList: boolean }[]
  create: boolean
  update?: 'PUT' | 'PATCH'
  delete: boolean
  view?: string
}

export interface FieldDescription {
  property: string
  type?: string
  format?: string
  enum?: unknown[]
  required: boolean
  readOnly: boolean
  reference?: string
  preventsDeletion?: boolean
}
