/** @module-tag engine */
import { beforeEach, describe, expect, test } from 'vitest';
import { getItem } from '#shared/db/batch-loader.ts';
import { byEmail } from '#shared/db/index-attributes.ts';
import { sessionPrefix } from '#shared/db/key-prefixes.ts';
import { keys } from '#shared/db/keys.ts';
import type { HasPendingEvents } from '#shared/db/outbox.ts';
import { query } from '#shared/db/query.ts';
import { StaleReadError } from '#shared/db/request-context.ts';
import { newSession } from '#shared/identity/sessions/sessions.ts';
import { startSession } from '#shared/identity/sessions/start-session.ts';
import { changeUser, updateUser, verifyEmail } from '#shared/identity/users/update-user.ts';
import type { EmailGuard, UserItem } from '#shared/identity/users/users.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { anEvent, theService, withoutEvents } from '../../support/recorded-events.ts';
import { failureOf, request } from '../../support/request.ts';

const faults = await openFaultyTable();
let users = 0;
let user: UserItem;
const now = new Date('2026-11-21T08:00:00.000Z');

beforeEach(async () => {
  user = await newUser();
  faults.reset();
});

async function newUser(): Promise<UserItem> {
  users += 1;
  const [uid, email] = [`u${users}`, `person${users}@example.com`];
  const item: UserItem = {
    ...keys.user(uid),
    ...byEmail('demo', email),
    ...{ uid, project_id: 'demo', email, verified: { email: true } },
    wallet: { address: '0x', type: 'service' },
    ...{ created_at: now.toISOString(), modified_at: now.toISOString(), version: 1 },
    ...{ workspace_count: 0, owned_workspace_count: 0 },
  };
  await faults.seed([item, { ...keys.emailGuard('demo', email), uid }]);
  return item;
}

const change = (to: Parameters<typeof changeUser>[1], of = user, budget?: number) =>
  request(() => changeUser(of, to, now), budget);
type Stored = UserItem & HasPendingEvents;
const stored = async () => (await request(() => getItem<Stored>(keys.user(user.uid)))) as Stored;
/** The user without the pending events of its last write. */
const read = async () => withoutEvents<UserItem>(await stored());
const pendingEvents = async () => {
  const { events, event_count } = await stored();
  return { events, event_count };
};
const ownerOf = async (email: string) =>
  (await request(() => getItem<EmailGuard>(keys.emailGuard('demo', email))))?.uid;
const sessions = async (uid = user.uid) =>
  (await request(() => query({ partition: keys.user(uid).pk, prefix: sessionPrefix }))).items;
const start = (uid = user.uid) =>
  request(() => startSession(newSession('demo', uid, { method: 'project' }, now)));
const fact = anEvent.bind(null, theService);

describe('a new e-mail', () => {
  test('that another user has is taken, and nothing changes', async () => {
    const other = await newUser();
    const written = { pk: 'X', sk: user.uid };
    const writes = { more: { kind: 'put', item: written } as const };
    expect(await failureOf(change({ email: other.email, writes }))).toBe('email_taken');
    expect(await read()).toEqual(user);
    expect(await ownerOf(user.email)).toBe(user.uid);
    expect(await request(() => getItem(written))).toBeUndefined();
  });

  test('that the same user got by a concurrent change is stale, not taken', async () => {
    const email = `same-${user.email}`;
    await change({ email });
    expect(await failureOf(change({ email }))).toBeInstanceOf(StaleReadError);
    expect((await read()).version).toBe(2);
  });

  test('does not free a guard that belongs to another user by now', async () => {
    const other = await newUser();
    await faults.seed([{ ...keys.emailGuard('demo', user.email), uid: other.uid }]);
    const email = `free-${user.email}`;
    expect(await failureOf(change({ email }))).toBeInstanceOf(StaleReadError);
    expect([await ownerOf(user.email), await ownerOf(email)]).toEqual([other.uid, undefined]);
  });
});

describe('disabling a user', () => {
  test('is stale once another session has started, and ends no session', async () => {
    await start();
    const seen = await read();
    await start();
    expect(await failureOf(change({ disabled: true }, seen))).toBeInstanceOf(StaleReadError);
    expect(await sessions()).toHaveLength(2);
    expect(await read()).not.toHaveProperty('disabled');
  });

  test('ends more sessions than one transaction can', async () => {
    const many = Array.from({ length: 130 }, () =>
      newSession('demo', user.uid, { method: 'project' }, now),
    );
    await faults.seed(many);
    // DynamoDB Local takes seconds for a hundred writes at once on a busy machine.
    await change({ disabled: true }, user, 20_000);
    expect(await sessions()).toEqual([]);
    // The 45 sessions that do not fit into the transaction have a separate event.
    expect(await pendingEvents()).toEqual({
      events: [fact('user.disabled'), fact('user.sessions_ended', { count: 85 })],
      event_count: 3,
    });
  });
});

test('a change of the profile is not found for a user of another project or an unknown user', async () => {
  const agreed = { agreed_tos_at: undefined, agreed_sign_up_at: undefined };
  const update = (project_id: string, uid: string) =>
    failureOf(request(() => updateUser(project_id, uid, agreed, now)));
  expect(await update('other', user.uid)).toBe('not_found');
  expect(await update('demo', 'nobody')).toBe('not_found');
  expect(await read()).toEqual(user);
});

describe('verifying an e-mail for the backend', () => {
  const verify = (found = user) => request(() => verifyEmail(found, now));

  test('is recorded once, even if an index returns the old user', async () => {
    const unproven = { ...user, verified: { email: false } };
    await faults.seed([unproven]);
    const proven = await verify(unproven);
    expect(proven).toMatchObject({ verified: { email: true }, version: 2 });
    expect(withoutEvents(await verify(unproven))).toEqual(proven);
    expect(await read()).toEqual(proven);
    expect(await pendingEvents()).toEqual({
      events: [fact('user.email_verified')],
      event_count: 1,
    });
  });

  test('ends more sessions than one transaction can beside eight accounts at providers', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `provider${n}`);
    const account = (subject: string) => ({ issuer: 'https://id.example.com', subject });
    const identities = Object.fromEntries(names.map((name) => [name, account(name)]));
    const method = 'provider0';
    const links = names.map((name) => keys.identity('demo', account(name).issuer, name));
    await faults.seed([
      { ...user, verified: { email: false }, identities },
      ...links.map((key) => ({ ...key, uid: user.uid })),
      ...Array.from({ length: 90 }, () => newSession('demo', user.uid, { method }, now)),
    ]);
    await request(() => verifyEmail(user, now), 20_000);
    expect(await sessions()).toEqual([]);
    const left = await Promise.all(links.map((key) => request(() => getItem(key))));
    expect(left).toEqual(links.map(() => undefined));
    expect(await read()).not.toHaveProperty('identities');
  });

  test('removes the sign-in methods and sessions from before, except sessions of the backend', async () => {
    const identity = { issuer: 'https://id.example.com', subject: '1' };
    const prepared = {
      ...user,
      verified: { email: false },
      social: 'google',
      sign_in_methods: { idpw: { enabled: true }, google: { enabled: true } },
      identities: { google: identity },
    };
    const link = keys.identity('demo', identity.issuer, identity.subject);
    const password = keys.password(user.uid);
    const sessionBy = (method: string) => newSession('demo', user.uid, { method }, now);
    const [ours, theirs] = [sessionBy('project'), sessionBy('idpw')];
    const { uid } = user;
    await faults.seed([prepared, { ...link, uid }, { ...password, uid }, ours, theirs]);
    const { social: _, identities: __, ...kept } = prepared;
    const proven = await verify(prepared);
    expect(proven).toEqual({
      ...{ ...kept, verified: { email: true }, sign_in_methods: {} },
      ...{ modified_at: now.toISOString(), version: 2, key_generation: 1 },
    });
    expect(await read()).toEqual(proven);
    expect(await pendingEvents()).toEqual({
      events: [
        fact('user.email_verified'),
        fact('user.identity_unlinked', { provider: 'google' }),
        fact('user.sessions_ended', { count: 1 }),
      ],
      event_count: 3,
    });
    expect(await sessions()).toEqual([ours]);
    for (const key of [link, password]) expect(await request(() => getItem(key))).toBeUndefined();
  });

  test('removes nothing from a user whose e-mail was verified before', async () => {
    const linked = { ...user, social: 'google' };
    await faults.seed([linked]);
    await start();
    const before = await read();
    expect(withoutEvents(await verify(linked))).toEqual(before);
    expect(await pendingEvents()).toMatchObject({ event_count: 1 });
    expect(await sessions()).toHaveLength(1);
  });

  test('is stale if the user no longer has that e-mail', async () => {
    await change({ email: `moved-${user.email}` });
    expect(await failureOf(verify())).toBeInstanceOf(StaleReadError);
    expect((await read()).verified).toEqual({ email: false });
    expect(await failureOf(verify({ ...user, uid: 'nobody' }))).toBeInstanceOf(StaleReadError);
  });
});
