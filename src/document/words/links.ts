/** Verbs before what is attached to a record: `addTag`. */
export const ATTACHING = /^(add|attach|assign|link|join|associate|invite|enroll|subscribe)$/

/** The opposite. */
export const DETACHING = /^(remove|detach|unassign|unlink|leave|disassociate|dissociate|delete|unenroll|unsubscribe)$/

/** What collections of people are called, most telling first. */
export const PEOPLE = ['user', 'person', 'people', 'account', 'member', 'employee', 'profile', 'contact', 'admin']

/** What people are to a record, after words such as "last" and "original". Normalized, in the singular. */
export const PERSON =
  /(^|last|original)(user|owner|author|assignee|creator|reporter|reviewer|approver|editor|member|follower|watcher|subscriber|collaborator|participant|attendee|requester|submitter|sender|recipient|manager|lead|maintainer|uploader|publisher|actor|organizer|host|inviter|invitee|(created|updated|modified|changed|edited|deleted|closed|completed|merged|assigned|resolved|archived|published|approved|reviewed|uploaded|added|invited|requested|submitted|cancell?ed|locked|owned|performed)by)$/
