/** Names of properties that hold whatever was asked for, normalized. */
export const ENVELOPES = /^(data|result|response|payload|item|record|object|entity|body|content|value)$/

/** Names of properties that hold the records of a list, normalized. */
export const LISTS =
  /^(data|results?|items?|records|entries|content|contents|values?|list|rows|objects|elements|resources|nodes|hits)$/

/** The envelope of HAL. */
export const EMBEDDED = '_embedded'

/** Words of properties that tell something about a response or a page, not about a record. */
export const META: ReadonlySet<string> = new Set(
  (
    'total count size page pages per limit offset next previous prev first last has more cursor token meta metadata ' +
    'links link self url uri href object type kind api version status success ok message messages code error errors ' +
    'warning warnings request id start end number of elements results items records empty sort sorted pagination paging ' +
    'paginator current is incomplete query filter filters timestamp time in max min embedded included returned available'
  ).split(' '),
)
