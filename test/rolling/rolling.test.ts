import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import releases from './releases.json' with { type: 'json' };
import { eventually, missing, startVersions, type Version } from './versions.ts';

/**
 * While a deployment rolls, old and new code run on one table: what one of them writes, the other reads and changes.
 * Every journey is made twice, begun by the one and by the other, and each answer is compared with what both show.
 */

const reason = missing();
if (reason !== undefined) console.warn(`No earlier release is tested: ${reason}.`);

let versions: Awaited<ReturnType<typeof startVersions>>;

const password = 'correct horse battery staple';
const other = 'a wholly different passphrase';
let people = 0;
const newEmail = () => `person-${(people += 1)}@example.com`;

// oxlint-disable-next-line no-explicit-any -- answers of two versions, compared whole
type Json = any;

/** Calls a version and answers the body; throws for another status. */
async function ask(
  version: Version,
  status: number,
  method: string,
  path: string,
  { auth = version.basic, body }: { auth?: string | null; body?: unknown } = {},
): Promise<Json> {
  const answer = await version.call({ method, path, auth: auth ?? undefined, body });
  if (answer.status === 500) throw new Error(version.errors().at(-1));
  expect([version.name, method, path, answer.status, answer.body]).toEqual([
    version.name,
    method,
    path,
    status,
    answer.body,
  ]);
  return answer.body;
}

/** Reads by both versions: today's answer is that of before, with no more than further fields. */
async function read(path: string, auth?: string): Promise<Json> {
  const { before, today } = versions;
  const options = auth === undefined ? {} : { auth };
  const was = await ask(before, 200, 'GET', path, options);
  const is = await ask(today, 200, 'GET', path, options);
  expect(is).toMatchObject(was);
  return is;
}

/** The newest token or code that either version has mailed to an address, other than those of before. */
async function mailed(email: string, used: readonly string[] = []): Promise<string> {
  return eventually(`a mail to ${email}`, async () => {
    const { before, today } = versions;
    const mails = [...(await before.mails()), ...(await today.mails())];
    const found = mails.flatMap(({ to, text }) => {
      const [, token, code] = /#token=([\w.-]+)|^(\d{6})$/m.exec(text) ?? [];
      const secret = token ?? code;
      return to === email && secret !== undefined && !used.includes(secret) ? [secret] : [];
    });
    return found[0];
  });
}

async function newUser(by: Version, given: object = {}) {
  const email = newEmail();
  const user = await ask(by, 201, 'POST', '/users', {
    body: { email, display_name: 'Ada', email_verified: true, ...given },
  });
  return { email, uid: user.uid as string, user };
}

const tokensOf = ({ access_token, refresh_token }: Json) => ({
  bearer: `Bearer ${access_token}`,
  refresh: { auth: `Bearer ${refresh_token}`, body: { accessToken: access_token as string } },
});

async function newSession(by: Version, uid: string) {
  return tokensOf(await ask(by, 201, 'POST', '/sessions', { body: { uid } }));
}

async function newWorkspace(by: Version) {
  const owner = await newUser(by);
  const { workspace_id } = await ask(by, 201, 'POST', '/workspaces', {
    body: { name: 'Engines', owner_id: owner.uid },
  });
  return { path: `/workspaces/${workspace_id}`, workspace_id: workspace_id as string, owner };
}

test('the previous release is the one before the newest in the CHANGELOG', () => {
  const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
  const named = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)$/gm)].map(([, name]) => name);
  expect(releases.previous.version).toBe(named[1]);
});

describe.skipIf(reason !== undefined).each(Object.values(releases))('$version', (release) => {
  beforeAll(async () => {
    versions = await startVersions(release);
  });
  afterAll(() => versions?.close());

  describe.each(['before', 'today'] as const)('begun by %s', (first) => {
    let one: Version;
    let two: Version;
    beforeAll(() => {
      [one, two] =
        first === 'before' ? [versions.before, versions.today] : [versions.today, versions.before];
    });

    test('a user is created, found by e-mail and uid, changed by both and disabled', async () => {
      const { uid, email, user } = await newUser(one);
      expect(await read(`/users/${uid}`)).toMatchObject({ uid, email, wallet: user.wallet });
      const again = await ask(two, 200, 'POST', '/users', { body: { email } });
      expect(again.uid).toBe(uid);
      for (const [by, display_name] of [
        [two, 'Ada King'],
        [one, 'Ada Lovelace'],
      ] as const) {
        const changed = await ask(by, 200, 'PUT', `/users/${uid}`, { body: { display_name } });
        expect(await read(`/users/${uid}`)).toMatchObject(changed);
        expect(changed.display_name).toBe(display_name);
      }
      const { bearer } = await newSession(one, uid);
      await ask(two, 200, 'PUT', `/users/${uid}`, { body: { disabled: true } });
      for (const by of [one, two]) await ask(by, 401, 'GET', '/users/me', { auth: bearer });
    });

    test('a session is verified, refreshed and retried by the other, listed and ended', async () => {
      const { uid } = await newUser(one);
      const started = await newSession(one, uid);
      await read('/users/me', started.bearer);
      const path = '/sessions/token/refresh';
      const refreshed = await ask(two, 200, 'POST', path, started.refresh);
      // A lost answer is asked for again, and may meet the other version.
      const repeated = await ask(one, 200, 'POST', path, started.refresh);
      expect(repeated.refresh_token).toBe(refreshed.refresh_token);
      const { bearer, refresh } = tokensOf(refreshed);
      await ask(one, 200, 'POST', path, refresh);
      const { result } = await read('/sessions', bearer);
      expect(result).toHaveLength(1);
      await ask(two, 200, 'DELETE', '/sessions/current', { auth: bearer });
      for (const by of [one, two]) await ask(by, 401, 'GET', '/users/me', { auth: bearer });
    });

    test('a password is set, compared and reset by both in turn, and a code works', async () => {
      const email = newEmail();
      const { project_id } = one;
      const post = (by: Version, status: number, path: string, body: object) =>
        ask(by, status, 'POST', path, { auth: null, body: { project_id, ...body } });
      await post(one, 202, '/sign-up', { email });
      const token = await mailed(email);
      const set = await post(two, 201, '/passwords', { token, password });
      await read('/users/me', `Bearer ${set.access_token}`);
      for (const by of [one, two]) {
        await post(by, 401, '/sessions/password', { email, password: other });
        await post(by, 201, '/sessions/password', { email, password });
      }
      await post(two, 202, '/passwords/forgotten', { email });
      const reset = await mailed(email, [token]);
      await post(one, 201, '/passwords', { token: reset, password: other });
      for (const by of [one, two])
        await ask(by, 401, 'GET', '/users/me', { auth: `Bearer ${set.access_token}` });
      await post(two, 201, '/sessions/password', { email, password: other });
      const { challenge_id } = await post(one, 202, '/codes', { email });
      const code = await mailed(email, [token, reset]);
      const signedIn = await post(two, 201, '/sessions/code', { challenge_id, code });
      expect(await read('/users/me', `Bearer ${signedIn.access_token}`)).toMatchObject({ email });
    });

    test('a workspace and its members are created, changed, suspended and removed in turn', async () => {
      const { path } = await newWorkspace(one);
      const member = await newUser(one);
      await ask(two, 200, 'PUT', path, { body: { name: 'Difference Engines' } });
      expect((await read(path)).name).toBe('Difference Engines');
      const body = { user_id: member.uid, role: 'member' };
      await ask(two, 201, 'POST', `${path}/users`, { body });
      await ask(one, 200, 'PUT', `${path}/users/${member.uid}/role`, { body: { role: 'admin' } });
      await ask(two, 200, 'PUT', `/users/${member.uid}`, { body: { display_name: 'Grace' } });
      await eventually('the copy of a changed profile', async () => {
        const { result } = await ask(one, 200, 'GET', `${path}/users?status=accepted`);
        return result.find((each: Json) => each.display_name === 'Grace');
      });
      await read(`${path}/users?status=accepted`);
      await ask(two, 200, 'PUT', `${path}/users/${member.uid}/suspension`, {
        body: { suspended: true },
      });
      await read(`${path}/users/${member.uid}`);
      await ask(one, 200, 'PUT', `${path}/users/${member.uid}/suspension`, {
        body: { suspended: false },
      });
      await ask(two, 200, 'DELETE', `${path}/users/${member.uid}`);
      expect((await read(`${path}/users?status=accepted`)).result).toHaveLength(1);
      await ask(one, 200, 'DELETE', path);
      for (const by of [one, two]) await ask(by, 404, 'GET', path);
      await ask(two, 200, 'POST', `${path}/restore`);
      await read(path);
    });

    test('invitations of new users are listed, resent, accepted and declined', async () => {
      const { path } = await newWorkspace(one);
      const [email, second] = [newEmail(), newEmail()];
      for (const to of [email, second])
        await ask(one, 201, 'POST', `${path}/invitations`, { body: { email: to, role: 'member' } });
      const { result } = await read(`${path}/invitations`);
      expect(result).toHaveLength(2);
      const { user_id } = result.find((each: Json) => each.email === email);
      // Today's code derives no wallet for a user who was only invited. The earlier code shows such a user without an
      // address, and stores none; as soon as today's code reads the user, both show the same one.
      await ask(versions.before, 200, 'GET', `/users/${user_id}`);
      await ask(versions.today, 200, 'GET', `/users/${user_id}`);
      expect((await read(`/users/${user_id}`)).wallet.address).toMatch(/^0x[0-9a-fA-F]{40}$/);
      const sent = await ask(two, 200, 'POST', `${path}/invitations/${user_id}/resend`);
      const token = /#token=([\w.-]+)/.exec(sent.link)?.[1];
      const { bearer } = await newSession(two, user_id);
      await read('/users/me', bearer);
      await read('/workspaces/invited/search', bearer);
      await ask(one, 201, 'POST', '/invitations/accept', { auth: bearer, body: { token } });
      expect((await read(`${path}/users/${user_id}`)).status).toBe('accepted');
      await read('/workspaces/joined/search', bearer);
      await ask(two, 200, 'DELETE', `${path}/invitations?email=${encodeURIComponent(second)}`);
      expect((await read(`${path}/invitations`)).result).toEqual([]);
    });

    test('join links and requests are used, counted and revoked in turn', async () => {
      const { path, workspace_id } = await newWorkspace(one);
      const link = await ask(one, 201, 'POST', `${path}/join_links`, { body: { max_uses: 2 } });
      for (const by of [two, one]) {
        const { uid } = await newUser(by);
        const body = { workspace_id, user_id: uid, join_token: link.token };
        await ask(by, 201, 'POST', '/workspaces/join', { body });
      }
      await ask(two, 200, 'DELETE', `${path}/join_links/${link.link_id}`);
      expect((await read(`${path}/join_links`)).result).toEqual([]);
      expect((await read(`${path}/users?status=accepted`)).result).toHaveLength(3);
    });

    test('webhooks are created, changed and rotated in turn', async () => {
      const body = { url: 'https://hooks.example.com/in', event_types: ['user.created'] };
      const { webhook_id } = await ask(one, 201, 'POST', '/webhooks', { body });
      const path = `/webhooks/${webhook_id}`;
      await ask(two, 200, 'PUT', path, { body: { description: 'ours' } });
      expect((await read(path)).description).toBe('ours');
      await ask(one, 201, 'POST', `${path}/secret`, { body: {} });
      // A range under way leaves a note on the webhook, of which the code of before knows nothing.
      const now = Date.now();
      const [since, until] = [now - 60_000, now].map((at) => new Date(at).toISOString());
      await ask(versions.today, 202, 'POST', `${path}/redeliver`, { body: { since, until } });
      await ask(versions.before, 200, 'PUT', path, { body: { description: 'theirs' } });
      expect((await read(path)).description).toBe('theirs');
      await ask(two, 200, 'PUT', path, { body: { disabled: true } });
      await read('/webhooks');
      // An attempt may end between the two readings.
      await eventually('the same attempts in both', () =>
        read(`${path}/attempts`).catch(() => undefined),
      );
      await ask(two, 200, 'DELETE', path);
      for (const by of [one, two]) await ask(by, 404, 'GET', path);
    });

    test('an Idempotency-Key, ETag or cursor of one is valid at the other', async () => {
      const { basic } = one;
      const make = (by: Version) =>
        by.call('POST', '/users', basic, { email }, { headers: { 'idempotency-key': key } });
      const [email, key] = [newEmail(), `journey-of-${first}-and-the-other`];
      const [made, replayed] = [await make(one), await make(two)];
      expect([made.status, replayed.status, replayed.body]).toEqual([201, 201, made.body]);
      expect(replayed.headers.get('idempotency-replayed')).toBe('true');

      const { path } = await newWorkspace(one);
      const etag = (await one.call('GET', path, basic)).headers.get('etag') ?? '';
      const rename = (name: string) =>
        two.call('PUT', path, basic, { name }, { headers: { 'if-match': etag } });
      expect((await rename('Looms')).status).toBe(200);
      expect((await rename('Mills')).status).toBe(412);

      const { uid } = await newUser(two);
      await ask(one, 201, 'POST', `${path}/users`, { body: { user_id: uid, role: 'member' } });
      const page = await one.call('GET', `${path}/users?status=accepted&limit=1`, basic);
      const [, next = ''] =
        /<http:\/\/localhost:3000([^>]+)>/.exec(page.headers.get('link') ?? '') ?? [];
      const [at, there] = [await one.call('GET', next, basic), await two.call('GET', next, basic)];
      expect([there.status, there.body]).toEqual([200, at.body]);
      expect(there.body.result).toHaveLength(1);
    });

    test('a deletion that one begins is completed by both, and the e-mail is free again', async () => {
      const { path, owner } = await newWorkspace(two);
      const { uid, email } = await newUser(one);
      const { bearer } = await newSession(one, uid);
      await ask(one, 201, 'POST', `${path}/users`, { body: { user_id: uid, role: 'member' } });
      await ask(two, 200, 'DELETE', `/users/${uid}`);
      for (const by of [one, two]) {
        await ask(by, 404, 'GET', `/users/${uid}`);
        await ask(by, 401, 'GET', '/users/me', { auth: bearer });
      }
      await eventually('the end of a deletion', async () => {
        const { completed_at } = await read(`/users/${uid}/deletion`);
        return completed_at as string | undefined;
      });
      const { result } = await read(`${path}/users?status=accepted`);
      expect(result.map((each: Json) => each.uid)).toEqual([owner.uid]);
      const again = await ask(one, 201, 'POST', '/users', { body: { email } });
      expect(again.uid).not.toBe(uid);
    });
  });

  describe('in the end', () => {
    test('both have the same events, each once, and neither has failed', async () => {
      const { before, today } = versions;
      const eventsOf = async (by: Version) => {
        const all: string[] = [];
        for (let path = '/events?limit=100', more = true; more; ) {
          const { result, next_cursor } = await ask(by, 200, 'GET', path);
          all.push(...result.map(({ id }: { id: string }) => id));
          more = result.length > 0;
          path = `/events?limit=100&after=${next_cursor}`;
        }
        return all;
      };
      // The last ones may come between the two readings.
      const ids = await eventually('the same events in both', async () => {
        const [was, is] = [await eventsOf(before), await eventsOf(today)];
        return was.join() === is.join() ? is : undefined;
      });
      expect(ids.length).toBeGreaterThan(50);
      expect(new Set(ids).size).toBe(ids.length);
      expect(before.errors()).toEqual([]);
      expect(today.errors()).toEqual([]);
    });
  });
});
