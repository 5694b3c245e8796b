/** Properties whose last word is one of these hold the state of a record. */
export const STATE = /^(status|state|phase|stage)$/

/** Words of states that no record begins with, if it can begin with another. */
export const END_STATE =
  /^(archived?|blocked|cancell?ed|closed|completed?|deleted|disabled|done|ended|error(ed)?|expired|failed|failure|finished|inactive|locked|off|refunded|rejected|removed|resolved|revoked|stopped|succeeded|success(ful)?|suspended|terminated|trashed|unspecified|undefined|unknown|none|all)$/

/** Words of flags that are false until something happens to a record. */
export const LATER_FLAG =
  /^(archived|banned|blocked|cancell?ed|closed|completed|deleted|disabled|done|ended|expired|failed|finished|flagged|hidden|locked|merged|muted|paid|pinned|read|refunded|removed|resolved|revoked|starred|suspended|trashed)$/

/** Words beside these that make a rule or a wish of a flag: `can_be_locked`, `show_archived`. */
export const NO_STATE_FLAG =
  /^(allow|allowed|auto|can|enable|enabled|hide|include|includes|may|not|notify|on|should|show|when|un\w+)$/

/** Words of flags that are true of a new record. */
export const TRUE_FLAG =
  /^(active|alive|available|enabled|healthy|new|ok|online|success|successful|usable|valid|visible)$/

/** The last word of a number that counts. */
export const COUNT = /^(count|counts|counter)$/

/** The first word of one, if another follows. */
export const COUNT_OF = /^(total|num|count)$/

/** Numbers that are no counts, although such a word is beside these. */
export const NO_COUNT =
  /^(amounts?|balance|cents|cost|cpus?|cores?|due|excluding|fees?|including|limit|max|maximum|min|minimum|page|paid|per|price|tax|taxes|usd|vcpus?)$/

/** What others do with a record: a number called so counts it. */
export const COUNTED =
  /^(answers|attempts|bookmarks|clicks|comments|commits|deletions|dislikes|downloads|downvotes|favou?rites|followers|following|forks|impressions|issues|likes|reactions|replies|retries|reviews|shares|stargazers|stars|subscribers|upvotes|views|visits|votes|watchers)$/

/** Properties that repeat the name of a record as an address has it, and those that have the name, best first. Normalized. */
export const SLUGS = /^(slug|handle|permalink|urlkey|key)$/
export const NAMES = ['name', 'title', 'label', 'subject', 'displayname']

/** Records whose `key` is a secret. */
export const HAS_SECRET_KEY = /key|token|secret|credential|webhook|certificate/i
