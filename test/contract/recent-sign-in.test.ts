/** @module-tag source */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import type { Route } from '#shared/contract/route.ts';
import { keys } from '#shared/db/keys.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { age } from '../support/factors.ts';
import { newAddress } from '../support/mail-feed.ts';
import { signInProject } from '../support/sign-in.ts';
import { pass, sessionIdOf } from '../support/started.ts';
import { startWorld } from '../support/world.ts';
import { pointersOf, routeCaller } from './calls.ts';
import { sampleOf } from './samples.ts';

/** The routes that require a recent sign-in if their project does. */
const world = await startWorld();
const call = routeCaller(world);
const asking = (routes as readonly Route[]).filter(({ recentSignIn }) => recentSignIn);
const settings = { passkeys: true, mfa: 'optional' };
const on = await signInProject(world, { ...settings, recent_sign_in: true });
const off = await signInProject(world, settings);

type Operation = { responses: Record<string, unknown> };
const document = JSON.parse(
  readFileSync(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8'),
) as { paths: Record<string, Record<string, Operation>> };
const challenge = `Bearer realm="user", error="insufficient_user_authentication", max_age="${lifetimes.recentSignIn}"`;

test('are those that change how a user signs in, or that cannot be undone', () => {
  // Every new route for users must state, here and in the contract, whether it requires one too.
  expect(asking.map(({ name }) => name).sort()).toEqual([
    'apiKeys.create',
    'apiKeys.rotate',
    'emails.change',
    'factors.startTotp',
    'identities.link',
    'identities.unlink',
    'ownership.offer',
    'passkeys.delete',
    'passkeys.startRegistration',
    'passwords.change',
    'users.delete',
    'workspaceKeys.create',
    'workspaceKeys.rotate',
    'workspaces.delete',
  ]);
});

test('are for users, not for impersonators, who could not sign in again', () => {
  for (const { auth, notByActor } of asking) {
    expect(auth).toContain('access');
    expect(notByActor).toBe(true);
  }
});

describe.each(asking)('$name', (route) => {
  /** Calls it as a user who signed in this many seconds ago, for themselves. */
  async function callBy(of: typeof on, seconds: number, headers: Record<string, string> = {}) {
    const ada = await world.user({ project: of.project, verified: true });
    await age(world, ada, seconds);
    const { params } = sampleOf(route);
    const own = 'uid' in params ? { ...params, uid: ada.uid } : params;
    const again = () => call(route, { auth: ada.bearer, params: own, headers });
    return { ada, again, answer: await again() };
  }

  test('401 ten minutes after the sign-in, with the challenge of RFC 9470, and nothing is written', async () => {
    const { answer, again } = await callBy(on, lifetimes.recentSignIn);
    expect([answer.status, answer.body.code]).toEqual([401, 'reauthentication_required']);
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
    const before = await world.table.all();
    await again();
    expect(await world.table.all()).toEqual(before);
  });

  test('succeeds before that, and again after the user has signed in again', async () => {
    const { answer } = await callBy(on, lifetimes.recentSignIn - 10);
    expect(answer.body.code).not.toBe('reauthentication_required');
    const { ada, again, answer: refused } = await callBy(on, lifetimes.recentSignIn);
    expect(refused.body.code).toBe('reauthentication_required');
    await world.table.update(keys.session(ada.uid, sessionIdOf(ada)), {
      authenticated_at: new Date().toISOString(),
    });
    expect((await again()).body.code).not.toBe('reauthentication_required');
  });

  test('401 with an Idempotency-Key too', async () => {
    const { again, answer } = await callBy(on, lifetimes.recentSignIn, {
      'idempotency-key': randomUUID(),
    });
    for (const each of [answer, await again()])
      expect(each.body.code).toBe('reauthentication_required');
  });

  test('succeeds in a project that does not require a recent sign-in', async () => {
    const { answer } = await callBy(off, lifetimes.recentSignIn);
    const asks = ['factors.startTotp', 'passkeys.startRegistration'];
    if (asks.includes(route.name)) return;
    expect(answer.body.code).not.toBe('reauthentication_required');
  });

  test('is documented with this error', () => {
    const { [route.path]: path = {} } = document.paths;
    const { responses } = path[route.method.toLowerCase()] ?? {};
    expect(JSON.stringify(responses?.['401'])).toContain('ReauthenticationRequired');
  });

  test.runIf(route.auth.includes('project'))('never requires it of a backend', async () => {
    const answer = await call(route, { auth: on.project.basic });
    expect(answer.body.code).not.toBe('reauthentication_required');
  });
});

describe('a user with a password in a project without password sign-in:', () => {
  const proving = asking.filter(({ name, body }) => {
    const { current_password } = body?.shape ?? {};
    return current_password !== undefined && name !== 'passwords.change';
  });
  test('the routes are those that otherwise require the current password', () => {
    expect(proving.map(({ name }) => name).sort()).toEqual([
      'emails.change',
      'factors.startTotp',
      'identities.link',
      'identities.unlink',
      'passkeys.delete',
      'passkeys.startRegistration',
      'users.delete',
    ]);
  });

  test.each(proving)('$name accepts a recent sign-in instead', async (route) => {
    const theirs = await signInProject(world, settings);
    const ada = await theirs.signUp(newAddress());
    const { params, body: given } = sampleOf(route);
    const { current_password: _, ...body } = given as Record<string, unknown>;
    const own = 'uid' in params ? { ...params, uid: ada.uid } : params;
    const again = () => call(route, { auth: ada.bearer, params: own, body });
    expect(pointersOf(await again())).toContain('/body/current_password');

    const { project_id } = theirs;
    await world.operate({ action: 'update', project_id, password_sign_in: false });
    pass(61_000);
    await age(world, ada, lifetimes.recentSignIn);
    const refused = await again();
    expect([refused.status, refused.body.code]).toEqual([401, 'reauthentication_required']);
    await age(world, ada, lifetimes.recentSignIn - 10);
    const answer = await again();
    expect(answer.body.code).not.toBe('reauthentication_required');
    expect(pointersOf(answer)).not.toContain('/body/current_password');
  });
});
