import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { sourceOf } from '#shared/contract/functions.ts';
import { operationNotes } from '#shared/contract/operation-notes.ts';
import { changes } from '#shared/contract/route.ts';
import { keys } from '#shared/db/schema.ts';
import { limits, type Rate, rates } from '#shared/model/limits.ts';
import { type Action, policy } from '#shared/workspaces/policy.ts';
import type { Prepare } from '../support/budget-case.ts';
import { budgetCases } from '../support/budget-cases.ts';
import type { Call } from '../support/call.ts';
import { type Person, startWorld } from '../support/world.ts';

const world = await startWorld();
const { basic } = world.project;

type Item = Record<string, unknown>;
type Name = (typeof routes)[number]['name'];
const emitting = routes.filter(
  (route) => changes(route) || operationNotes[route.name].events !== undefined,
);

/** The types of the events that a call leads to, even one that is refused. */
async function eventsOf(made: Call): Promise<string[]> {
  await world.drainStream();
  const before = world.events().length;
  expect((await world.call(made)).status).toBeLessThan(500);
  await world.drainStream();
  const later = world.events().slice(before);
  return later.map(({ type }) => type);
}

const known = new Set<unknown>();
/** Changes the items of the users that the case has made. */
async function changeUsers(change: (user: Item) => Item): Promise<void> {
  const items: Item[] = await world.table.all();
  const isUser = ({ sk, uid }: Item) => sk === keys.user('').sk && !known.has(uid);
  for (const { display_name: _, name: __, thumbnail_url: ___, ...user } of items.filter(isUser)) {
    known.add(user['uid']);
    if (user['deleted_at'] === undefined) await world.table.put(change(user));
  }
}

/** Takes the profile of the users, for the provider to fill in. */
const nameless = () => changeUsers((user) => user);

/** Takes the proof of their e-mail too, and lets them have signed in at a provider and by a code. */
async function unproven(): Promise<void> {
  const sessions = (await world.table.all()).filter(
    ({ session_id, uid }) => session_id && !known.has(uid),
  );
  await changeUsers((user) => {
    const identities = { other: { issuer: 'https://accounts.example.com', subject: user['uid'] } };
    return { ...user, verified: { email: false }, identities };
  });
  for (const session of sessions) {
    const { uid } = session as { uid: string };
    const session_id = randomUUID();
    const key = keys.session(uid, session_id);
    await world.table.put({ ...session, ...key, session_id, method: 'email_code' });
  }
}

/** Lets the next start of a session end the one before. */
async function oneSession(): Promise<void> {
  (limits as { sessionsPerUser: number }).sessionsPerUser = 1;
}

/** What makes the calls of the budgets lead to further events. */
const conditions: Partial<Record<Name, (() => Promise<void>)[]>> = {
  'sessions.create': [oneSession],
  'passwords.signIn': [oneSession],
  'passwords.set': [unproven],
  'codes.verify': [oneSession, unproven],
  'identities.signIn': [oneSession, nameless],
  'identities.link': [nameless],
  'emails.confirm': [unproven],
  'users.create': [unproven],
  'invitations.accept': [unproven],
};

const call = (method: string, path: string, auth: string, body?: object): Call => ({
  method,
  path,
  auth,
  body,
});
const refresh = ({ refresh_token, access_token }: Person): Call =>
  call('POST', '/sessions/token/refresh', `Bearer ${refresh_token}`, { accessToken: access_token });

/** An admin to whom the workspace is offered. */
async function offered() {
  const workspace = await world.workspace();
  const { uid } = await world.member(workspace, 'admin');
  const path = `/workspaces/${workspace.workspace_id}`;
  await world.call(call('POST', `${path}/ownership`, workspace.owner.bearer, { user_id: uid }));
  return { uid, path: `${path}/users/${uid}` };
}

/** A workspace that has no room but that of an expired invitation. */
async function crowded() {
  const { workspace_id, owner } = await world.workspace();
  const path = `/workspaces/${workspace_id}`;
  const guest = { email: `guest-of-${workspace_id}@example.com`, role: 'member', expires_in: 60 };
  await world.call(call('POST', `${path}/invitations`, basic, guest));
  const key = keys.workspace(workspace_id);
  await world.table.update(key, { pending_member_count: limits.invitationsPerWorkspace });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  return { owner, path };
}

/** Calls beyond those of the budgets. */
const scenes: Partial<Record<Name, (() => Promise<Call>)[]>> = {
  'sessions.refresh': [
    async () => {
      const first = await world.user();
      await world.call(refresh((await world.call(refresh(first))).body));
      return refresh(first);
    },
  ],
  'users.update': [
    async () => {
      const { uid } = await world.user();
      const email = `new-of-${uid}@example.com`;
      return call('PUT', `/users/${uid}`, basic, { email, email_verified: true });
    },
  ],
  'users.delete': [
    async () => call('DELETE', `/users/${(await offered()).uid}`, basic),
    async () => {
      const { uid } = await world.invited(await world.workspace());
      return call('DELETE', `/users/${uid}`, basic);
    },
    async () => {
      const asking = await world.user({ verified: true });
      const { workspace_id } = await world.workspace();
      const path = `/workspaces/${workspace_id}`;
      await world.call(
        call('PUT', `${path}/allowed_domains`, basic, { allowed_domains: ['example.com'] }),
      );
      await world.call(call('POST', `${path}/join_requests`, asking.bearer, {}));
      return call('DELETE', `/users/${asking.uid}`, basic);
    },
  ],
  'members.add': [
    async () => {
      const { owner, path } = await crowded();
      const { uid } = await world.user({ verified: true });
      return call('POST', `${path}/users`, owner.bearer, { user_id: uid, role: 'member' });
    },
  ],
  'members.remove': [async () => call('DELETE', (await offered()).path, basic)],
  'members.suspend': [
    async () => call('PUT', `${(await offered()).path}/suspension`, basic, { suspended: true }),
    async () => {
      const path = `${(await offered()).path}/suspension`;
      await world.call(call('PUT', path, basic, { suspended: true }));
      return call('PUT', path, basic, { suspended: false });
    },
  ],
  'members.changeRole': [
    async () => call('PUT', `${(await offered()).path}/role`, basic, { role: 'member' }),
  ],
  'invitations.create': [
    async () => {
      const { path } = await crowded();
      const body = { email: 'one-more@example.com', role: 'member' };
      return call('POST', `${path}/invitations`, basic, body);
    },
  ],
};

describe('the events of an operation are those that it leads to', () => {
  const { sessionsPerUser } = limits;
  afterEach(() => {
    (limits as { sessionsPerUser: number }).sessionsPerUser = sessionsPerUser;
    vi.useRealTimers();
  });

  test.each(emitting)('$name', async ({ name }) => {
    const cases: Prepare[] = Object.values(budgetCases(world)[name]);
    const found = new Set<string>();
    for (const condition of [undefined, ...(conditions[name] ?? [])])
      for (const prepare of [...cases, ...(condition ? [] : (scenes[name] ?? []))]) {
        const { refused: _, ...made } = (await prepare()) as Awaited<ReturnType<Prepare>>;
        await condition?.();
        for (const type of await eventsOf(made)) found.add(type);
        (limits as { sessionsPerUser: number }).sessionsPerUser = sessionsPerUser;
        vi.useRealTimers();
      }
    expect([...found].toSorted()).toEqual([...(operationNotes[name].events ?? [])].toSorted());
  });
});

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test.each(routes)('$name: its permissions are those that its function asks for', ({ name }) => {
  const source = read(sourceOf(name));
  const asked = source.includes('authorizeLog') ? read('shared/events/authorize-log.ts') : source;
  const actions = Object.keys(policy).filter((action) => asked.includes(`'${action}'`));
  const named: readonly Action[] = operationNotes[name].permissions ?? [];
  expect([...named].toSorted()).toEqual(actions.toSorted());
});

/** The sources that a function is made of. */
function sourcesOf(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, from = ''] of read(path).matchAll(/from '((?:#shared|\.)[^']*\.ts)'/g))
    sourcesOf(from.startsWith('#') ? from.slice(1) : join(path, '..', from), seen);
  return seen;
}

test.each(routes)('$name: its function can meet its rate limits', ({ name }) => {
  const sources = [...sourcesOf(sourceOf(name))].filter(
    (path) => path !== 'shared/model/limits.ts',
  );
  const code = sources.map(read).join('\n');
  for (const rate of operationNotes[name].rates ?? [])
    expect([rate, code.includes(`'${rate}'`) || code.includes(`rates.${rate}`)]).toEqual([
      rate,
      true,
    ]);
});

test('every rate limit of requests is named by an operation', () => {
  const named = routes.flatMap(({ name }) => operationNotes[name].rates ?? []);
  // Stated for every public route of a project; and one that rejects no request.
  const elsewhere = ['projectDoor', 'newDeviceMails'];
  expect([...new Set<string>([...named, ...elsewhere])].toSorted()).toEqual(
    (Object.keys(rates) as Rate[]).toSorted(),
  );
});
