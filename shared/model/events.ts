/** Every event type with its description. The only list: events, OpenAPI and webhook filters use it. */
export const eventTypes = {
  'user.created': 'A user was created.',
  'user.updated': 'The profile, the terms or the external id of a user changed.',
  'user.metadata_changed':
    'Metadata of a user changed; `data.fields` names what, and only `app_metadata` is shown.',
  'user.email_changed': 'The e-mail of a user changed.',
  'user.email_verified': 'The e-mail of a user was verified.',
  'user.disabled': 'A user was disabled: all sessions ended and none can start.',
  'user.enabled': 'A disabled user was enabled again.',
  'user.password_changed': 'The password of a user was set or changed.',
  'user.password_exported': 'The operator exported the password hash of a user.',
  'user.identity_linked':
    'An account at an identity provider was linked to a user, who can sign in with it.',
  'user.identity_unlinked':
    'An account at an identity provider was unlinked from a user, who can no longer sign in with it.',
  'user.api_key.created': 'A user created an API key.',
  'user.api_key.updated': 'The name or the metadata of an API key of a user changed.',
  'user.api_key.rotated': 'An API key of a user got a new text.',
  'user.api_key.revoked': 'An API key of a user was revoked.',
  'user.api_key.first_used': 'A program used an API key of a user for the first time.',
  'user.passkey_added': 'A passkey was added to a user, who can sign in with it.',
  'user.passkey_removed': 'A passkey of a user was removed.',
  'user.passkey_counter_decreased':
    'The counter of a passkey went back at a sign-in: somebody may have copied it.',
  'user.factor_added': 'A user added a second factor, which further sign-ins ask for.',
  'user.factor_removed': 'The second factor of a user was removed.',
  'user.recovery_codes_renewed': 'A user replaced all recovery codes.',
  'user.recovery_code_used': 'A user used a recovery code instead of the second factor.',
  'user.sessions_ended': 'Several sessions of a user ended at once.',
  'user.deleted': 'A user was deleted.',
  'session.started': 'A session of a user started.',
  'session.reauthenticated':
    'The person of a session proved again who they are; `data.method` names how.',
  'session.ended': 'A session of a user ended.',
  'session.reuse_detected': 'An old refresh token was presented, so its session was revoked.',
  'email.bounced':
    'A mail bounced. After a permanent bounce no mail is sent to the address until the backend confirms the address.',
  'email.complained':
    'The recipient marked a mail as spam. No mail is sent to the address until the backend confirms the address.',
  'permission.created': 'The project defined a permission.',
  'permission.updated': 'The description of a permission changed.',
  'permission.deleted': 'A permission was deleted.',
  'role.created': 'The project defined a role.',
  'role.updated': 'A role changed: its name, description or permissions.',
  'role.deleted': 'A role was deleted.',
  'workspace.created': 'A workspace was created.',
  'workspace.updated':
    'The name, logo, description, external id or second-factor rule of a workspace changed.',
  'workspace.metadata_changed':
    'Metadata of a workspace changed; `data.fields` names what, and only `app_metadata` is shown.',
  'workspace.domains_changed': 'The allowed domains of a workspace, or their modes, changed.',
  'workspace.domain_proven': 'A workspace verified that it owns a domain.',
  'workspace.deleted': 'A workspace was deleted.',
  'workspace.restored': 'A deleted workspace was restored.',
  'workspace.ownership_offered': 'The owner offered the workspace to an admin.',
  'workspace.ownership_offer_ended':
    'The ownership offer was withdrawn or declined, or its recipient is no longer an admin.',
  'workspace.ownership_transferred': 'The owner of the workspace changed.',
  'workspace.role.created': 'A workspace defined a role of its own.',
  'workspace.role.updated':
    "A role of a workspace's own changed: its name, description or permissions.",
  'workspace.role.deleted': "A role of a workspace's own was deleted.",
  'workspace.member.added': 'A manager or the backend added a member.',
  'workspace.member.joined': 'A user joined; `data.via` names the method.',
  'workspace.member.role_changed': 'The role of a member changed.',
  'workspace.member.metadata_changed': 'The metadata of a member changed.',
  'workspace.member.suspended': 'A membership was suspended.',
  'workspace.member.resumed': 'A suspended membership was resumed.',
  'workspace.member.removed': 'A member was removed.',
  'workspace.member.left': 'A member left.',
  'workspace.invitation.created': 'A user was invited.',
  'workspace.invitation.resent': 'An invitation was renewed and sent again.',
  'workspace.invitation.revoked': 'An invitation was revoked.',
  'workspace.invitation.declined': 'The invitee declined the invitation.',
  'workspace.invitation.expired': 'An expired invitation was removed.',
  'workspace.api_key.created': 'An API key of a workspace was created.',
  'workspace.api_key.updated': 'The name or the metadata of an API key of a workspace changed.',
  'workspace.api_key.rotated': 'An API key of a workspace got a new text.',
  'workspace.api_key.revoked': 'An API key of a workspace was revoked.',
  'workspace.api_key.first_used': 'A program used an API key of a workspace for the first time.',
  'workspace.join_link.created': 'A join link was created.',
  'workspace.join_link.revoked': 'A join link was revoked.',
  'workspace.join_request.created': 'A user asked to join.',
  'workspace.join_request.refused': 'A manager refused the request.',
  'workspace.join_request.withdrawn': 'The user withdrew the request.',
} as const;
export type EventType = keyof typeof eventTypes;

/**
 * Who did it: a user, a key (a secret of the project's backend, by its id), an API key (with the user or workspace that
 * it is of), or the service itself. `impersonator`: who acted as the user.
 */
export type Actor = {
  kind: 'user' | 'key' | 'api_key' | 'service';
  id: string;
  impersonator?: string | undefined;
  user_id?: string | undefined;
  workspace_id?: string | undefined;
};

/**
 * An event as written with the change of the table. `data` and `previous` hold ids and small values; the state of the
 * item before and after is in the stream's images.
 */
export type EventDraft = {
  type: EventType;
  data?: Partial<Record<EventField, unknown>>;
  previous?: Partial<Record<EventField, unknown>>;
};

/** An event as stored on its item. */
export type PendingEvent = EventDraft & {
  /** `evt-` and a UUIDv7; permanent. */
  id: string;
  time: string;
  actor: Actor;
};

/** An event as recorded, published and shown. Its `data` contains only the fields listed for its type in this file. */
export type Event = {
  id: string;
  type: EventType;
  time: string;
  project_id: string;
  workspace_id?: string;
  actor: Actor;
  data: Record<string, unknown>;
  previous?: Record<string, unknown>;
};

/** The `source` of the service's events on the bus. */
export const eventSource = 'identity-workspace';

/**
 * The fields of `data` of each event type. A closed list: an attribute added to an item is never published
 * automatically. A name that was ever recorded must stay, because the hashes of the logs cover everything recorded.
 * `user` and `workspace` are the state after the change; `previous` has the fields of them that were different before.
 */
export const eventFields = {
  'user.created': ['user_id', 'user'],
  'user.updated': ['user_id', 'user', 'fields'],
  'user.metadata_changed': ['user_id', 'fields', 'app_metadata'],
  'user.email_changed': ['user_id', 'user'],
  'user.email_verified': ['user_id', 'user'],
  'user.disabled': ['user_id', 'user'],
  'user.enabled': ['user_id', 'user'],
  'user.password_changed': ['user_id'],
  'user.password_exported': ['user_id'],
  'user.identity_linked': ['user_id', 'provider'],
  'user.identity_unlinked': ['user_id', 'provider'],
  'user.api_key.created': ['user_id', 'key_id'],
  'user.api_key.updated': ['user_id', 'key_id'],
  'user.api_key.rotated': ['user_id', 'key_id'],
  'user.api_key.revoked': ['user_id', 'key_id'],
  'user.api_key.first_used': ['user_id', 'key_id'],
  'user.passkey_added': ['user_id', 'passkey_id'],
  'user.passkey_removed': ['user_id', 'passkey_id'],
  'user.passkey_counter_decreased': ['user_id', 'passkey_id'],
  'user.factor_added': ['user_id'],
  'user.factor_removed': ['user_id'],
  'user.recovery_codes_renewed': ['user_id'],
  'user.recovery_code_used': ['user_id'],
  'user.sessions_ended': ['user_id', 'count'],
  'user.deleted': ['user_id'],
  'session.started': ['user_id', 'session_id', 'method', 'impersonator', 'reason'],
  'session.reauthenticated': ['user_id', 'session_id', 'method'],
  'session.ended': ['user_id', 'session_id'],
  'session.reuse_detected': ['user_id', 'session_id'],
  'email.bounced': ['email', 'user_id', 'bounce_type', 'mail_kind'],
  'email.complained': ['email', 'user_id', 'mail_kind'],
  'permission.created': ['permission', 'description'],
  'permission.updated': ['permission', 'description'],
  'permission.deleted': ['permission'],
  'role.created': ['role', 'permissions', 'inherits'],
  'role.updated': ['role', 'permissions', 'inherits'],
  'role.deleted': ['role'],
  'workspace.created': ['workspace'],
  'workspace.updated': ['workspace'],
  'workspace.metadata_changed': ['fields', 'app_metadata'],
  'workspace.domains_changed': ['workspace'],
  'workspace.domain_proven': ['domain'],
  'workspace.deleted': ['workspace'],
  'workspace.restored': ['workspace'],
  'workspace.ownership_offered': ['user_id', 'member_id'],
  'workspace.ownership_offer_ended': ['user_id', 'member_id'],
  'workspace.ownership_transferred': ['owner_id', 'member_id'],
  'workspace.role.created': ['role', 'permissions'],
  'workspace.role.updated': ['role', 'permissions'],
  'workspace.role.deleted': ['role'],
  'workspace.member.added': ['user_id', 'member_id', 'role'],
  'workspace.member.joined': ['user_id', 'member_id', 'role', 'via', 'link_id'],
  'workspace.member.role_changed': ['user_id', 'member_id', 'role'],
  // Up to 0.17.0 it had `app_metadata`.
  'workspace.member.metadata_changed': ['user_id', 'member_id', 'fields', 'app_metadata'],
  'workspace.member.suspended': ['user_id', 'member_id', 'role'],
  'workspace.member.resumed': ['user_id', 'member_id', 'role'],
  'workspace.member.removed': ['user_id', 'member_id', 'role'],
  'workspace.member.left': ['user_id', 'member_id', 'role'],
  'workspace.invitation.created': ['user_id', 'member_id', 'role'],
  'workspace.invitation.resent': ['user_id', 'member_id', 'role'],
  'workspace.invitation.revoked': ['user_id', 'member_id', 'role'],
  'workspace.invitation.declined': ['user_id', 'member_id', 'role'],
  'workspace.invitation.expired': ['user_id', 'member_id', 'role'],
  'workspace.api_key.created': ['key_id'],
  'workspace.api_key.updated': ['key_id'],
  'workspace.api_key.rotated': ['key_id'],
  'workspace.api_key.revoked': ['key_id'],
  'workspace.api_key.first_used': ['key_id'],
  'workspace.join_link.created': ['link_id', 'role'],
  'workspace.join_link.revoked': ['link_id', 'role'],
  'workspace.join_request.created': ['user_id'],
  'workspace.join_request.refused': ['user_id'],
  'workspace.join_request.withdrawn': ['user_id'],
} as const satisfies Record<EventType, readonly string[]>;

/** Every field name of the list above. */
export type EventField = (typeof eventFields)[EventType][number];
