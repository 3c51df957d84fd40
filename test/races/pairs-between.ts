import type { Operation } from '../../shared/contract/api.ts';
import type { Answer, Call } from '../support/call.ts';
import { type Caller, routesAs } from '../support/routes.ts';
import type { TestProject } from '../support/world.ts';

/** A request of the backend, or of the caller of the other request: its operation and its fields. */
type Between = [operation: Operation, input: object, by?: 'caller'];
type Key = { pk: string; sk: string };

/** A role of the project, and the role of a workspace in test/support/budgets/cases-roles.ts. */
export const clerk = 'clerk';
const ownRole = 'ws-editor';

/** By the beginnings of an item's keys: what ends or changes it, from the rest of its keys. */
const requests: Record<string, (id: string, within: string) => Between[]> = {
  'USER# USER': (uid) => [
    ['users.delete', { uid }],
    ['users.update', { uid, disabled: true }],
    ['users.update', { uid, email: `${uid}@example.net` }],
    ['users.update', { uid, display_name: 'Changed', external_id: uid }],
    ['users.mergeMetadata', { uid, app_metadata: { plan: 'changed' } }],
    ['sessions.endAll', { user_id: uid }],
    ['workspaces.create', { name: 'Own', owner_id: uid }],
  ],
  'USER# SESSION#': (user_id, session_id) => [
    ['sessions.end', { user_id, session_id }],
    ['sessions.signOut', {}, 'caller'],
  ],
  'USER# FACTOR': (uid) => [['factors.reset', { uid }]],
  'USER# API_KEY#': (uid, key_id) => [['apiKeys.revokeOfUser', { uid, key_id }]],
  'USER# PASSKEY#': (_, passkey_id) => [['passkeys.delete', { passkey_id }, 'caller']],
  'WS# WS': (workspace_id) => [
    ['workspaces.delete', { workspace_id }],
    ['workspaces.restore', { workspace_id }],
    ['workspaces.update', { workspace_id, name: 'Changed', external_id: workspace_id }],
    ['workspaces.update', { workspace_id, require_mfa: true }],
    ['workspaces.mergeMetadata', { workspace_id, app_metadata: { plan: 'changed' } }],
    ['workspaces.setAllowedDomains', { workspace_id, allowed_domains: [] }],
    ['workspaceRoles.set', { workspace_id, role: ownRole, permissions: ['event:list'] }],
    ['workspaceRoles.delete', { workspace_id, role: ownRole }],
    ['ownership.end', { workspace_id }],
  ],
  'WS# MEMBER#': (workspace_id, user_id) => [
    ['members.remove', { workspace_id, user_id }],
    ['members.suspend', { workspace_id, user_id, suspended: true }],
    ['members.changeRole', { workspace_id, user_id, role: 'member' }],
    ['members.changeRole', { workspace_id, user_id, role: 'admin' }],
    ['ownership.offer', { workspace_id, user_id }],
  ],
  'WS# INVITE#': (workspace_id, user_id) => [
    ['invitations.end', { workspace_id, user_id }],
    ['members.add', { workspace_id, user_id, role: 'member' }],
  ],
  'WS# REQUEST#': (workspace_id, user_id) => [
    ['joinRequests.approve', { workspace_id, user_id }],
    ['joinRequests.delete', { workspace_id, user_id }],
  ],
  'WS# LINK#': (workspace_id, link_id) => [['joinLinks.revoke', { workspace_id, link_id }]],
  'WS# DOMAIN#': (workspace_id, domain) => [['domains.set', { workspace_id, domain, mode: 'off' }]],
  'WS# API_KEY#': (workspace_id, key_id) => [['workspaceKeys.revoke', { workspace_id, key_id }]],
  'ROLES# ROLES': () => [
    ['roles.set', { role: clerk, permissions: [] }],
    ['roles.delete', { role: clerk }],
  ],
  'WEBHOOKS# WEBHOOK#': (_, webhook_id) => [['webhooks.delete', { webhook_id }]],
};

type Send = (request: Call) => Promise<Answer>;

/** A request by the name of its operation and with its fields, to show and to send. */
export type Second = { operation: Operation; input: unknown; send: () => Promise<Answer> };

/**
 * Every such request about these items, in a list for each kind of item.
 *
 * @param first the other request, and its project
 */
export const requestsAbout = (
  keys: readonly Key[],
  send: Send,
  first: { project: TestProject; call: Call },
): Second[][] =>
  Object.entries(requests)
    .map(([begin, about]) => {
      const [pk = '', sk = ''] = begin.split(' ');
      return keys
        .filter((key) => key.pk.startsWith(pk) && key.sk.startsWith(sk))
        .flatMap((key) => about(key.pk.slice(pk.length), key.sk.slice(sk.length)))
        .map(([operation, input, sender]) => ({
          operation,
          input,
          send: () => sendBy(send, operation, input, sender ? first.call.auth : first.project),
        }));
    })
    .filter(({ length }) => length > 0);

/** Sends a request by the name of its operation. */
function sendBy(send: Send, operation: Operation, input: object, by: Caller): Promise<Answer> {
  const [group = '', verb = ''] = operation.split('.');
  const all: Record<string, Record<string, (input: object) => Promise<Answer>>> = routesAs(
    send,
    by,
  );
  const request = all[group]?.[verb];
  if (!request) throw new Error(`There is no ${operation}.`);
  return request(input);
}
