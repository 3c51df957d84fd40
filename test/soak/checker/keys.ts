import type { WorkspaceKeyOperation } from '../../../shared/contract/key-access.ts';
import { type Entry, type History, outcomeOf, type Stored, type Violation } from '../history.ts';
import { placeOf, text } from './view.ts';

/** Rules about the API keys of workspaces. */

/** The permission of each operation, written independently of the service. Keys are refused for all others. */
const permissionOf: Record<WorkspaceKeyOperation, string> = {
  'workspaces.get': 'workspace:read',
  'workspaces.update': 'workspace:update',
  'workspaces.getMetadata': 'workspace:read-metadata',
  'domains.list': 'domain:list',
  'members.add': 'member:add',
  'members.list': 'member:list-accepted',
  'members.get': 'member:read',
  'members.changeRole': 'member:change-role',
  'members.suspend': 'member:suspend',
  'members.remove': 'member:remove',
  'invitations.create': 'invitation:create',
  'invitations.list': 'invitation:list',
  'invitations.resend': 'invitation:resend',
  'invitations.end': 'invitation:revoke',
  'invitations.endByEmail': 'invitation:revoke',
  'joinRequests.list': 'join-request:list',
  'joinRequests.approve': 'join-request:approve',
  'joinRequests.delete': 'join-request:refuse',
  'joinLinks.list': 'join-link:list',
  'joinLinks.revoke': 'join-link:revoke',
  'events.listOfWorkspace': 'event:list',
};
const ofMembers = ['workspace:read', 'member:list-accepted', 'member:read'];

const wantedBy = ({ name, query }: Entry): string | undefined =>
  name === 'members.list' && query?.['status'] === 'pending'
    ? 'member:list-pending'
    : (permissionOf as Record<string, string>)[name];

type Key = { workspace_id: string; isAdmin: boolean; permissions: readonly string[] | undefined };

/**
 * The role and permissions of each key at creation: it may use those of its listed permissions that its role allows, by
 * default admin.
 */
function keysIn(entries: readonly Entry[]): Map<string, Key> {
  const keys = new Map<string, Key>();
  for (const { name, answer, params, status } of entries) {
    if (name !== 'workspaceKeys.create' || status !== 201 || !answer) continue;
    const permissions = answer['permissions'] as string[] | undefined;
    const role = text(answer, 'role');
    const isAdmin = role === 'admin' || (role === '' && permissions !== undefined);
    const workspace_id = params?.['workspace_id'] ?? '';
    keys.set(text(answer, 'key_id'), { workspace_id, isAdmin, permissions });
  }
  return keys;
}

const mayDo = ({ isAdmin, permissions }: Key, wanted: string): boolean =>
  (isAdmin || ofMembers.includes(wanted)) && (permissions?.includes(wanted) ?? true);

/** A key must be accepted in its own workspace for its permissions, and for nothing else. */
export function keysDoWhatTheyHold({ entries }: History): Violation[] {
  const keys = keysIn(entries);
  return entries.flatMap((entry) => {
    const { id, name, as } = entry;
    if (as.kind !== 'key' || outcomeOf(entry) !== 'done') return [];
    const [key, wanted] = [keys.get(as.key_id), wantedBy(entry)];
    const allowed =
      key?.workspace_id === placeOf(entry) && wanted !== undefined && mayDo(key, wanted);
    if (allowed) return [];
    return [
      {
        rule: 'a key does only what it may, in its workspace',
        what: `${as.key_id} did ${name} in ${placeOf(entry)}`,
        entries: [id],
      },
    ];
  });
}

/** Rejected without authentication, or before it. */
const isTurnedAway = ({ status = 500 }: Entry): boolean =>
  status >= 500 || status === 401 || status === 429;

/** A key must be refused once its revocation, or the end of one of its secrets, is acknowledged. */
export function endedKeysAreRefused({ entries }: History): Violation[] {
  /** The request that ended a key or one of its secrets. */
  const ends = new Map<string, Entry>();
  const end = (of: string, by: Entry) => {
    const before = ends.get(of);
    if (!before || by.ended < before.ended) ends.set(of, by);
  };
  /** For each key, its secrets and the time of the first response that showed each. */
  const texts = new Map<string, Map<string, number>>();
  for (const entry of entries) {
    const { name, answer, ended } = entry;
    if (outcomeOf(entry) !== 'done') continue;
    const key_id = text(answer, 'key_id');
    if (name === 'workspaceKeys.revoke') end(key_id, entry);
    if (name === 'workspaceKeys.create' || name === 'workspaceKeys.rotate') {
      const ofKey = texts.get(key_id) ?? new Map<string, number>();
      texts.set(key_id, ofKey);
      // A retry with the same Idempotency-Key shows the same secret again later.
      const token = text(answer, 'key');
      ofKey.set(token, Math.min(ended, ofKey.get(token) ?? ended));
    }
  }
  for (const entry of entries) {
    const isImmediate = entry.name === 'workspaceKeys.rotate' && entry.body?.['overlap'] === 0;
    if (!isImmediate || outcomeOf(entry) !== 'done') continue;
    // It also ends the secrets that earlier rotations left valid for a while.
    for (const [token, ended] of texts.get(text(entry.answer, 'key_id')) ?? [])
      if (ended < entry.began) end(token, entry);
  }
  return entries.flatMap((entry) => {
    if (entry.as.kind !== 'key' || isTurnedAway(entry)) return [];
    const { key_id, token } = entry.as;
    const ended = [ends.get(key_id), ends.get(token)].find((by) => by && by.ended < entry.began);
    if (!ended) return [];
    const what = `${entry.name} answered ${entry.status} to ${key_id}, after ${ended.name}`;
    return [{ rule: 'no ended key is accepted', what, entries: [ended.id, entry.id] }];
  });
}

type LogEvent = {
  type: string;
  actor: { kind: string; id: string; workspace_id?: string };
  data: { workspace?: { name?: string } };
};

/** Events must name the key as actor exactly for requests made with it. */
export function eventsNameTheKey({ entries, scan }: History): Violation[] {
  if (!scan) return [];
  const rule = 'events name the key that acted';
  const keys = keysIn(entries);
  const logs = Map.groupBy(scan.items.filter(isOfLog), ({ pk }) => pk);
  const eventsOf = (workspace_id: string): LogEvent[] =>
    (logs.get(`LOG#WS#${workspace_id}`) ?? [])
      .toSorted((a, b) => (a.sk < b.sk ? -1 : 1))
      .map(({ event }) => JSON.parse(String(event)) as LogEvent);
  const renamed = entries.filter(
    (entry) =>
      entry.name === 'workspaces.update' &&
      entry.body?.['name'] !== undefined &&
      entry.probe === undefined &&
      outcomeOf(entry) === 'done',
  );
  const wrong = renamed.filter((entry) => {
    const { as, body } = entry;
    // Names are unique, so the first event with it belongs to that request.
    const event = eventsOf(placeOf(entry)).find(
      ({ type, data }) => type === 'workspace.updated' && data.workspace?.name === body?.['name'],
    );
    if (!event) return false;
    const { kind, id } = event.actor;
    return as.kind === 'key' ? kind !== 'api_key' || id !== as.key_id : kind === 'api_key';
  });
  const unknown = [...logs].flatMap(([pk]) => {
    const workspace_id = pk.slice('LOG#WS#'.length);
    return eventsOf(workspace_id)
      .filter(({ actor: { kind, id } }) => {
        const key = kind === 'api_key' ? keys.get(id) : undefined;
        return key && key.workspace_id !== workspace_id;
      })
      .map(({ type, actor }) => `${pk} says that ${actor.id} of elsewhere did ${type}`);
  });
  return [
    ...wrong.map(({ id, name }) => ({
      rule,
      what: `${name} is returned with another one`,
      entries: [id],
    })),
    ...unknown.map((what) => ({ rule, what, entries: [] })),
  ];
}

const isOfLog = ({ pk, sk }: Stored): boolean =>
  pk.startsWith('LOG#WS#') && sk.startsWith('EVENT#');
