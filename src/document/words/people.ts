/** What people are called who use a service, the most telling first. Normalized. */
export const PEOPLE = [
  'user',
  'account',
  'member',
  'person',
  'people',
  'profile',
  'customer',
  'employee',
  'contact',
  'admin',
]

/** What people are to a record, after words such as "last" and "original". Normalized, in the singular. */
export const PERSON =
  /(^|last|original)(user|owner|author|assignee|creator|reporter|reviewer|approver|editor|member|follower|watcher|subscriber|collaborator|participant|attendee|requester|submitter|sender|recipient|manager|lead|maintainer|uploader|publisher|actor|organizer|host|inviter|invitee|(created|updated|modified|changed|edited|deleted|closed|completed|merged|assigned|resolved|archived|published|approved|reviewed|uploaded|added|invited|requested|submitted|cancell?ed|locked|owned|performed)by)$/

/** The last segment of a path to the one who sends the request. Normalized. */
export const ME = /^(me|self|myself|whoami|(current|authenticated|loggedin|my)(user|account|member|profile)?)$/

/** What stands for the id of that one. */
export const MY_ID = /^(@?me|@?self|~|-me-)$/i

/** What people are known by, and send to sign in. Normalized. */
export const IDENTITY =
  /^(user|login|account)?(name|email|emailaddress|mail|login|phone|phonenumber|mobile|handle|identifier|id)$|^(user|usernameoremail|emailorusername|account)$/

/** Normalized. */
export const PASSWORD = /^(user|login|account|new|plain)?(password|passwd|pwd|passcode|passphrase|pin)$/

/** Properties with a token. Normalized. */
export const TOKEN =
  /^(access|auth|authentication|authorization|api|bearer|id|jwt|session|user|login)?(token|jwt)$|^(session|access)(id|key)$/
export const REFRESH_TOKEN = /^refresh(token|jwt)$/
export const TOKEN_TYPE = /^tokentype$/
export const EXPIRES_IN = /^(access|token|accesstoken)?(expires?in(seconds)?|ttl|lifetime)$/
export const EXPIRES_AT =
  /^(access|token|accesstoken|session)?(expires?(at|on)?|expir(y|ation)(time|date)?|validuntil)$/

/** Headers that can have a token: `authorization`, `cookie`, `x-api-key`. In lower case. */
export const CREDENTIAL_HEADER = /auth|cookie|credential|jwt|key|session|token/

/** The last segment of paths that sign in, sign up, sign out and refresh a token. Normalized. */
export const SIGN_IN = /^(log|sign)(in|on)$|^(authenticate|auth|sessions?|(access)?tokens?)$/
export const SIGN_UP = /^signup$|^register$|^registrations?$|^join$/
export const SIGN_OUT = /^(log|sign)(out|off)$|^(revoke|revoketoken|endsession)$/
export const REFRESH = /^(refresh|renew)(token|session)?$|^tokenrefresh$/
