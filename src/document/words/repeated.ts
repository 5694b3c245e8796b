/** Names of what a response makes anew, although the request has such a thing, too. */
export const NOT_REPEATED = /token|secret|password|assertion|signature|nonce/i
