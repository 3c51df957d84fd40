import { expect, test } from 'vitest';
import { endedKeysAreRefused, eventsNameTheKey, keysDoWhatTheyHold } from './checker/keys.ts';
import type { Caller, Entry, History } from './history.ts';

/** Rules of the checker about API keys: each finds its violations and nothing else. */

const params = { workspace_id: 'wid-1' };
const project: Caller = { kind: 'project', project_id: 'red' };
const by = (token: string, key_id = 'key-1'): Caller => ({
  ...{ kind: 'key', project_id: 'red', key_id, token },
  ...params,
});

/** Sequential requests. */
const inTurn = (...given: readonly (Partial<Entry> & { name: string })[]): Entry[] =>
  given.map((each, i) => ({
    ...{ id: i + 1, client: 0, as: project, began: 20 * i, ended: 20 * i + 10 },
    ...{ status: 200, params, ...each },
  }));
const historyOf = (entries: Entry[], events: object[] = []): History => ({
  entries,
  projects: ['red'],
  scan: {
    ...{ at: 1_000, indexes: {} },
    items: events.map((event, i) => ({
      ...{ pk: 'LOG#WS#wid-1', sk: `EVENT#${String(i + 1).padStart(15, '0')}` },
      event: JSON.stringify(event),
    })),
  },
});

const made = (more: object = { role: 'member' }) => ({
  ...{ name: 'workspaceKeys.create', status: 201 },
  answer: { key_id: 'key-1', key: 'first', ...more },
});
const read = { name: 'workspaces.get', as: by('first') };
const rename = { name: 'workspaces.update', as: by('first'), body: { name: 'w1' } };
const pending = { name: 'members.list', as: by('first'), query: { status: 'pending' } };
const revoked = { name: 'workspaceKeys.revoke', answer: { key_id: 'key-1' } };
const rotated = (overlap: number, key = 'second') => ({
  ...{ name: 'workspaceKeys.rotate', body: { overlap } },
  ...{ params: { ...params, key_id: 'key-1' }, answer: { key_id: 'key-1', key } },
});

test.each([
  ['a member reads', [made(), read], 0],
  ['a member writes', [made(), rename], 1],
  ['a member is refused', [made(), { ...rename, status: 403 }], 0],
  ['a member lists invitees', [made(), pending], 1],
  ['an admin writes', [made({ role: 'admin' }), rename, pending], 0],
  [
    'a limited key does what is in its list',
    [made({ permissions: ['workspace:update'] }), rename],
    0,
  ],
  ['a limited key does something else', [made({ permissions: ['workspace:update'] }), read], 1],
  [
    'a limited key of a member does more than its role',
    [made({ role: 'member', permissions: ['workspace:update'] }), rename],
    1,
  ],
  ['in another workspace', [made(), { ...read, params: { workspace_id: 'wid-2' } }], 1],
  [
    'a request that no key may make',
    [made({ role: 'admin' }), { ...read, name: 'workspaces.delete' }],
    1,
  ],
  ['a key that was never created', [{ ...read, as: by('first', 'key-2') }], 1],
])('permissions of a key: %s', (_, given, found) => {
  expect(keysDoWhatTheyHold(historyOf(inTurn(...given)))).toHaveLength(found);
});

test.each([
  ['used before', [made(), read, revoked], 0],
  ['used after', [made(), revoked, read], 1],
  ['refused as a known caller', [made(), revoked, { ...read, status: 403 }], 1],
  ['refused as an unknown caller', [made(), revoked, { ...read, status: 401 }], 0],
  ['used while it is revoked', [made(), revoked, { ...read, began: 25 }], 0],
  ['another key', [made(), revoked, { ...read, as: by('other', 'key-2') }], 0],
  ['a revocation that was refused', [made(), { ...revoked, status: 404 }, read], 0],
  ['a text that was replaced immediately', [made(), rotated(0), read], 1],
  ['a text that works for a while', [made(), rotated(60), read], 0],
  [
    'a text that worked for a while, after an immediate rotation',
    [made(), rotated(60), rotated(0, 'third'), read],
    1,
  ],
  [
    'the same, with a replayed retry of its creation in between',
    [made(), rotated(60), made(), rotated(0, 'third'), read],
    1,
  ],
  [
    'a text in between, which was replaced immediately',
    [made(), rotated(60), rotated(0, 'third'), { ...read, as: by('second') }],
    1,
  ],
  ['the new text', [made(), rotated(0), { ...read, as: by('second') }], 0],
])('the end of a key: %s', (_, given, found) => {
  expect(endedKeysAreRefused(historyOf(inTurn(...given)))).toHaveLength(found);
});

const updated = (actor: object, name = 'w1') => ({
  ...{ type: 'workspace.updated', actor },
  data: { workspace: { name } },
});
const key = { kind: 'api_key', id: 'key-1', workspace_id: 'wid-1' };
test.each([
  ['the key', [rename], [updated(key)], 0],
  ['the backend, for a change by the key', [rename], [updated({ kind: 'key', id: 's' })], 1],
  ['another key', [rename], [updated({ ...key, id: 'key-2' })], 1],
  ['the key, for a change by the backend', [{ ...rename, as: project }], [updated(key)], 1],
  [
    'the backend, for a later change to the same name',
    [rename],
    [updated(key), updated({ kind: 'key' })],
    0,
  ],
  ['no actor, for a refused change', [{ ...rename, status: 403 }], [], 0],
])('events name %s', (_, given, events, found) => {
  const entries = inTurn(made({ role: 'admin' }), ...given);
  expect(eventsNameTheKey(historyOf(entries, events))).toHaveLength(found);
});
