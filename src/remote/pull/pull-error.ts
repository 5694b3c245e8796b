/** Nothing can be pulled. The message is a sentence without a full stop. */
export class PullError extends Error {}
