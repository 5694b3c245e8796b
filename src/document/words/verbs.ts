/** Past participles that no rule makes. */
export const PARTICIPLES: Readonly<Record<string, string>> = {
  bind: 'bound',
  build: 'built',
  buy: 'bought',
  catch: 'caught',
  choose: 'chosen',
  draw: 'drawn',
  freeze: 'frozen',
  give: 'given',
  hide: 'hidden',
  hold: 'held',
  keep: 'kept',
  lend: 'lent',
  lose: 'lost',
  make: 'made',
  overdo: 'overdone',
  overturn: 'overturned',
  pay: 'paid',
  put: 'put',
  quit: 'quit',
  read: 'read',
  redo: 'redone',
  rerun: 'rerun',
  resend: 'resent',
  reset: 'reset',
  run: 'run',
  sell: 'sold',
  send: 'sent',
  set: 'set',
  shut: 'shut',
  split: 'split',
  submit: 'submitted',
  take: 'taken',
  undo: 'undone',
  unfreeze: 'unfrozen',
  win: 'won',
  withdraw: 'withdrawn',
  write: 'written',
}

/** What verbs mean beside their own participles. Words in lower case, without spaces. */
export interface VerbGroup {
  /** Any of them leads to the participles of all, or to one of the states. */
  readonly verbs: string
  readonly states?: string
  /** States that exclude these. */
  readonly opposites?: string
  /** These take it back: what was true is false, and a time is none. A verb with `un` before it does so as well. */
  readonly undo?: string
  /** These lead to the opposite, but what has happened has happened: a job that is stopped was started. */
  readonly against?: string
  /** Other states that a record may have after `undo` and `against`, most telling first. */
  readonly back?: string
}

export const VERBS: readonly VerbGroup[] = [
  { verbs: 'archive', undo: 'restore', back: 'active open' },
  { verbs: 'delete trash', undo: 'restore undelete recover', back: 'active' },
  { verbs: 'close', opposites: 'open opened', undo: 'reopen open' },
  { verbs: 'resolve', opposites: 'unresolved', undo: 'reopen', back: 'open opened' },
  {
    verbs: 'complete finish',
    states: 'complete done',
    opposites: 'incomplete',
    undo: 'reopen',
    back: 'open opened todo',
  },
  { verbs: 'activate reactivate', states: 'active', opposites: 'inactive', against: 'deactivate inactivate' },
  { verbs: 'enable reenable', opposites: 'disabled', against: 'disable' },
  { verbs: 'suspend', undo: 'resume reinstate', back: 'active enabled' },
  { verbs: 'pause', undo: 'resume', back: 'active running inprogress' },
  { verbs: 'resume', states: 'running active' },
  { verbs: 'start', states: 'running inprogress', against: 'stop' },
  { verbs: 'publish', states: 'live', opposites: 'draft unpublished', undo: 'draft' },
  { verbs: 'ban', undo: 'pardon', back: 'active' },
  { verbs: 'block', states: 'blocking', back: 'active' },
  { verbs: 'mute', states: 'muting' },
  { verbs: 'lock', undo: 'release' },
  { verbs: 'freeze', undo: 'thaw', back: 'active' },
  { verbs: 'snooze', back: 'open' },
  { verbs: 'hide', states: 'invisible', opposites: 'visible shown', undo: 'show reveal' },
  { verbs: 'favorite favourite' },
  { verbs: 'follow', states: 'following' },
  { verbs: 'watch', states: 'watching' },
  { verbs: 'feature', states: 'featuring' },
  { verbs: 'read', states: 'seen', opposites: 'unread' },
  { verbs: 'connect', states: 'online', opposites: 'offline', against: 'disconnect' },
  { verbs: 'install', against: 'uninstall' },
  { verbs: 'approve accept' },
  { verbs: 'reject decline deny refuse' },
]

/** Words beside a verb that do not change what it does. */
export const BESIDE_VERB = /^(mark|as|make|set|is|force|forced|manually|now|the|this|it)$/

/** The last words of properties whose value is a state that operations change. */
export const STATE = /^(status|state|phase|stage|lifecycle|visibility|disposition)$/

/** Words before the state in the name of a boolean: `isArchived`, `has_been_read`. */
export const BEFORE_STATE = /^(is|was|has|have|been|are|currently|already)$/

/** What makes another record like the one that the path names. */
export const COPYING = /^(copy|clone|duplicate|fork|replicate)$/

/** What changes a list in the record, or what belongs to the record: its request is no new value of a property. */
export const ADDING =
  /^(add|remove|delete|append|insert|attach|detach|assign|unassign|link|unlink|invite|associate|dissociate|disassociate)$/

/** What changes a record as the request says, and nothing else. */
export const CHANGING = /^(set|update|change|edit|rename|move|transfer|resize|modify|replace|adjust|configure)$/
