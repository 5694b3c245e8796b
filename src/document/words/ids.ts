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
