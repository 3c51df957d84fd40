import type { EventType } from './events.ts';

/**
 * What the data of each type of event names. A closed list: an attribute that an item gains never spreads by itself.
 * A name that was ever recorded stays in it, for the hashes of the logs are over all that was recorded.
 * `user` and `workspace` are what the item shows after the change; `previous` has of them what was different before.
 */
export const eventFields = {
  'user.created': ['user_id', 'user'],
  'user.updated': ['user_id', 'user', 'fields'],
  'user.email_changed': ['user_id', 'user'],
  'user.email_verified': ['user_id', 'user'],
  'user.disabled': ['user_id', 'user'],
  'user.enabled': ['user_id', 'user'],
  'user.password_changed': ['user_id'],
  'user.identity_linked': ['user_id', 'provider'],
  'user.identity_unlinked': ['user_id', 'provider'],
  'user.sessions_ended': ['user_id', 'count'],
  'user.deleted': ['user_id'],
  'session.started': ['user_id', 'session_id', 'method'],
  'session.ended': ['user_id', 'session_id'],
  'session.reuse_detected': ['user_id', 'session_id'],
  'email.bounced': ['email', 'user_id', 'bounce_type', 'mail_kind'],
  'email.complained': ['email', 'user_id', 'mail_kind'],
  'workspace.created': ['workspace'],
  'workspace.updated': ['workspace'],
  'workspace.domains_changed': ['workspace'],
  'workspace.domain_proven': ['domain'],
  'workspace.deleted': ['workspace'],
  'workspace.restored': ['workspace'],
  'workspace.ownership_offered': ['user_id', 'member_id'],
  'workspace.ownership_offer_ended': ['user_id', 'member_id'],
  'workspace.ownership_transferred': ['owner_id', 'member_id'],
  'workspace.member.added': ['user_id', 'member_id', 'role'],
  'workspace.member.joined': ['user_id', 'member_id', 'role', 'via', 'link_id'],
  'workspace.member.role_changed': ['user_id', 'member_id', 'role'],
  'workspace.member.suspended': ['user_id', 'member_id', 'role'],
  'workspace.member.resumed': ['user_id', 'member_id', 'role'],
  'workspace.member.removed': ['user_id', 'member_id', 'role'],
  'workspace.member.left': ['user_id', 'member_id', 'role'],
  'workspace.invitation.created': ['user_id', 'member_id', 'role'],
  'workspace.invitation.resent': ['user_id', 'member_id', 'role'],
  'workspace.invitation.revoked': ['user_id', 'member_id', 'role'],
  'workspace.invitation.declined': ['user_id', 'member_id', 'role'],
  'workspace.invitation.expired': ['user_id', 'member_id', 'role'],
  'workspace.join_link.created': ['link_id', 'role'],
  'workspace.join_link.revoked': ['link_id', 'role'],
  'workspace.join_request.created': ['user_id'],
  'workspace.join_request.refused': ['user_id'],
  'workspace.join_request.withdrawn': ['user_id'],
} as const satisfies Record<EventType, readonly string[]>;

/** Every name of the list above. */
export type EventField = (typeof eventFields)[EventType][number];
