/** Verbs before what is attached to a record: `addTag`. */
export const ATTACHING = /^(add|attach|assign|link|join|associate|invite|enroll|subscribe)$/

/** The opposite. */
export const DETACHING = /^(remove|detach|unassign|unlink|leave|disassociate|dissociate|delete|unenroll|unsubscribe)$/
