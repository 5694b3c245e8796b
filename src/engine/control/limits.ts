/** The largest body that the control plane takes, besides a whole state, however little the store takes. */
export const MAX_ADMIN_BODY_BYTES = 1_048_576

/** How many bytes of a stream may wait for a reader that is slow before it is let go. */
export const MAX_WAITING_BYTES = 1_048_576
