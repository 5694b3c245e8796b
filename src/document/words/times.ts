/** Properties with the time at which something began: the earlier one of a record's two times. */
export const FIRST = /creat|start|begin|since|regist|join|open|issued|^from|^valid_?from/i

/** The later one. */
export const LAST = /updat|modif|chang|end|finish|clos|complet|cancel|delet|archiv|expir|until|due|last|^to$/i

export const BIRTH = /birth/i

/** Words of properties that the mock sets when a record is created. */
export const CREATED = /^(created?|creation|added|inserted|registered|joined|issued|timestamp)$/

/** Those that it sets with every change. */
export const CHANGED = /^(updated?|modified|modification|changed?|edited)$/

/** What a new record does not have yet. */
export const LATER =
  /^(archived|cancell?ed|closed|completed|deleted|ended|finished|merged|removed|resolved|revoked|suspended|trashed)$/

/** When something ends by itself: later than its beginning. */
export const EXPIRES = /^(expires?|expiry|expiration)$/

/** Words beside these that make a time of them: `lastModified`, but not `modifiedBy`. */
export const TIME = /^(at|on|date|time|timestamp|last|utc|ts)$/

/** Formats of numbers that are times in seconds. */
export const TIME_FORMATS = ['timestamp', 'date-time', 'unix-time', 'unixtime']
