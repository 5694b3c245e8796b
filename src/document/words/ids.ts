/** Words at the end of a parameter or property that say "this is an id": `bookId`, `task_gid`. */
export const ID_WORDS = /^(id|ids|gid|uid|uuid|guid|sid|identifier)$/

/** What other documents call an id, most telling first. Normalized. */
export const USUAL_IDS = [
  ...['uuid', 'gid', 'guid', 'sid', 'uid', 'identifier', 'key'],
  ...['name', 'slug', 'code', 'username', 'login'],
]

/** What an embedded record calls the id that it was referred to by, most telling first. */
export const EMBEDDED_IDS = ['id', 'uuid', 'gid', 'name', 'slug', 'key', 'code']

/** Objects in a record that describe the record itself. In another, an `id` or a `name` is that of something else. */
export const ABOUT_RECORD = /^(meta|metadata|attributes|info)$/i

/** Formats of UUIDs: `uuid4` and `guid` as well. Those of version 4 must be of this version. */
export const UUID_FORMAT = /^(uuid|guid)([-_ ]?v?(?<version>\d))?$/i

/** Of other formats that ids have now and then. */
export const FORMAT_PATTERNS: Readonly<Record<string, string>> = {
  ipv4: '^198\\.18\\.[1-9]\\.[1-9]\\d$',
  email: '^[a-z0-9]+@example\\.com$',
  uri: '^https://example\\.com/[a-z0-9]+$',
  hostname: '^[a-z0-9]+\\.example\\.com$',
  date: '^20[12]\\d-0[1-9]-[12]\\d$',
  ulid: '^01[0-9A-HJKMNP-TV-Z]{24}$',
  objectid: '^[0-9a-f]{24}$',
}

/** Words that say whose id it is, beside that of the record: `external_customer_id` is the `external_id` of a customer. */
export const QUALIFIERS =
  /^(external|ext|remote|foreign|client|custom|public|internal|short|legacy|old|source|own|display|reference)$/

/** Short forms of nouns. Normalized, without separators. */
export const SHORT_FORMS: Readonly<Record<string, readonly string[]>> = {
  org: ['organization', 'organisation'],
  repo: ['repository'],
  app: ['application'],
  env: ['environment'],
  dept: ['department'],
  doc: ['document'],
  db: ['database'],
}

/** Parts of a path that do not say what it leads to. */
export const VERSION = /^(v\d[\w.-]*|\d+(\.\d+)*|latest|preview|beta|alpha)$/i

/** Parameters that are names, and what records may call them instead. Normalized. */
export const SYNONYMS: readonly (readonly string[])[] = [
  ['username', 'login', 'handle', 'nickname', 'screenname', 'acct'],
  ['slug', 'key', 'handle', 'permalink', 'path'],
  ['email', 'emailaddress', 'mail'],
  ['number', 'no', 'nr', 'num'],
  ['code', 'symbol'],
]
