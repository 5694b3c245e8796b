/** The name of a sandbox or a snapshot. Not only dots: clients resolve `/sandbox/..` to another path. */
export const SANDBOX_NAME = /^(?!\.+$)[A-Za-z0-9._-]{1,64}$/
