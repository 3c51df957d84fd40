import type { EventField } from './event-fields.ts';

/** Every type of event, and what it tells. The one list: facts, OpenAPI and the filters of webhooks take it from here. */
export const eventTypes = {
  'user.created': 'A user was made.',
  'user.updated': 'The profile of a user changed, or the terms that they agreed to.',
  'user.email_changed': 'A user has another e-mail.',
  'user.email_verified': 'The e-mail of a user is proven to be theirs.',
  'user.disabled': 'A user was disabled: every session ended and none can start.',
  'user.enabled': 'A user is no longer disabled.',
  'user.password_changed': 'A user has a password, or another one.',
  'user.identity_linked': 'An account at an identity provider signs a user in.',
  'user.identity_unlinked': 'An account at an identity provider no longer signs a user in.',
  'user.sessions_ended': 'Several sessions of a user ended at once.',
  'user.deleted': 'A user was deleted.',
  'session.started': 'A session of a user started.',
  'session.ended': 'A session of a user ended.',
  'session.reuse_detected': 'An old refresh token was presented, so its session was revoked.',
  'email.bounced':
    'A mail to an address came back. If for good (permanent), no further mail goes there until the back end vouches for it.',
  'email.complained':
    'A mail was marked as spam by its recipient. No further mail goes there until the back end vouches for it.',
  'workspace.created': 'A workspace was made.',
  'workspace.updated': 'The name, logo or description of a workspace changed.',
  'workspace.domains_changed': 'The allowed domains of a workspace, or their modes, changed.',
  'workspace.domain_proven': 'A domain was proven to be that of the workspace.',
  'workspace.deleted': 'A workspace was deleted.',
  'workspace.restored': 'A deleted workspace was restored.',
  'workspace.ownership_offered': 'The owner offered the workspace to an admin.',
  'workspace.ownership_offer_ended':
    'The offer was taken back or declined, or its admin is none any more.',
  'workspace.ownership_transferred': 'The workspace has another owner.',
  'workspace.member.added': 'A manager or the back end made a user a member.',
  'workspace.member.joined': 'A user became a member by themself; data tells by which way.',
  'workspace.member.role_changed': 'A member has another role.',
  'workspace.member.suspended': 'A membership was suspended.',
  'workspace.member.resumed': 'A suspended membership was resumed.',
  'workspace.member.removed': 'A member was removed.',
  'workspace.member.left': 'A member left.',
  'workspace.invitation.created': 'A user was invited.',
  'workspace.invitation.resent': 'An invitation was renewed and sent again.',
  'workspace.invitation.revoked': 'An invitation was revoked.',
  'workspace.invitation.declined': 'The invitee declined.',
  'workspace.invitation.expired': 'An invitation was removed, some time after it had expired.',
  'workspace.join_link.created': 'A join link was made.',
  'workspace.join_link.revoked': 'A join link was revoked.',
  'workspace.join_request.created': 'A user asked to join.',
  'workspace.join_request.refused': 'A manager refused the request.',
  'workspace.join_request.withdrawn': 'The user took the request back.',
} as const;
export type EventType = keyof typeof eventTypes;

/** Who did it: a person, a key (one secret of the project's back end, by its id), or the service by itself. */
export type Actor = { kind: 'user' | 'key' | 'service'; id: string };

/**
 * What a change of the table tells, as it is written with the change. `data` and `previous` hold ids and small values;
 * what the item itself shows before and after is in the stream's images.
 */
export type Fact = {
  type: EventType;
  data?: Partial<Record<EventField, unknown>>;
  previous?: Partial<Record<EventField, unknown>>;
};

/** A fact as an item carries it. */
export type ToldFact = Fact & {
  /** `evt-` and a UUIDv7; the event keeps it for good. */
  id: string;
  time: string;
  actor: Actor;
};

/** A change as it is recorded, published and shown. Its `data` may name what shared/model/event-fields.ts lists, and no more. */
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

/** By which the rules of a bus know the service's events. */
export const eventSource = 'identity-workspace';
