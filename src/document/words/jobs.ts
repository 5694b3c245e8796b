/** States of work that the service does by itself. Normalized. */
export const WAITING = /^(queued|pending|waiting|scheduled|notstarted|enqueued|submitted|accepted|created|new)$/
export const WORKING = /^(running|inprogress|processing|executing|started|working|building|exporting|importing)$/
export const DONE = /^(completed?|succeeded|success|successful|finished|done|ready)$/
export const FAILED = /^(failed|failure|error|errored)$/

/** What says how far work is, from 0 to 100. Normalized. */
export const PROGRESS = /^(progress|percent|percentage|percentcomplete|completion|progresspercent(age)?)$/

/** Words of times at which work began and ended. */
export const BEGAN = /^(started|began)$/
export const ENDED = /^(completed|finished|ended|done)$/
