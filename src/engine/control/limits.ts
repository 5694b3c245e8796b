/** The largest body that the control plane takes, besides a whole state, however little the store takes. */
export const MOST_CONTROL_BYTES = 1_048_576

/** How many bytes of a stream may wait for a reader that is slow before it is let go. */
export const MOST_WAITING = 1_048_576
