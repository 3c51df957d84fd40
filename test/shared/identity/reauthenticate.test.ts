/** @module-tag engine */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PersonCaller } from '#shared/access/caller.ts';
import type { Project } from '#shared/access/projects.ts';
import { keys } from '#shared/db/keys.ts';
import { hashPassword } from '#shared/identity/passwords/password-hash.ts';
import { newPassword, type PasswordItem } from '#shared/identity/passwords/passwords.ts';
import {
  reauthenticate,
  reauthenticateByPassword,
} from '#shared/identity/sign-in/reauthenticate.ts';
import type { UserItem } from '#shared/identity/users/users.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { rates } from '#shared/model/rates.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';
import { atWindow } from '../../support/started.ts';

const right = 'correct horse battery staple';
const userOf = (uid: string) =>
  ({
    ...{ ...keys.user(uid), uid, project_id: 'demo' },
    ...{ email: `${uid}@example.com`, verified: { email: true } },
  }) as unknown as UserItem;
const project = { password_sign_in: true };
const callerOf = (uid: string) =>
  ({ kind: 'person', project_id: 'demo', project, uid }) as PersonCaller;

const faults = await openFaultyTable();
let hash: string;
const passwordOf = (uid: string): PasswordItem => newPassword(uid, hash, new Date());
beforeAll(async () => {
  hash = await hashPassword(right);
  await faults.seed([
    ...[userOf('ada'), passwordOf('ada')],
    ...[userOf('bob'), passwordOf('bob')],
    userOf('without'),
  ]);
});
beforeEach(() => {
  faults.reset();
  // No test runs across the end of a rate limit window.
  atWindow(rates.passwordFailures.seconds, 60);
});
/** The result or error code, in a request that ends after its background work. */
const outcome = (work: (now: Date) => Promise<unknown>): Promise<unknown> =>
  request(async ({ now, backgroundWork }) => {
    const result = await work(now).catch((error: { code?: string }) => error.code ?? error);
    await Promise.allSettled(backgroundWork);
    return result;
  });
const confirm = (uid: string, given: string) =>
  outcome((now) => reauthenticateByPassword(userOf(uid), passwordOf(uid), given, now));
const asSession = (uid: string, given?: string) =>
  outcome((now) => reauthenticate(callerOf(uid), given, now));

describe('the password', () => {
  test('is confirmed any number of times if it is right', async () => {
    for (let i = 0; i <= rates.passwordFailures.max; i += 1)
      expect(await confirm('ada', right)).toMatchObject({ hash });
  });

  test('is refused for a user without one, and no failure is counted', async () => {
    const none = () =>
      outcome((now) => reauthenticateByPassword(userOf('without'), undefined, right, now));
    expect(await none()).toBe('invalid_credentials');
    expect(faults.calls).toEqual([]);
  });

  test('is refused if it is wrong, and even the right one after the limit of failures', async () => {
    for (let i = 0; i < rates.passwordFailures.max; i += 1)
      expect(await confirm('bob', 'wrong')).toBe('invalid_credentials');
    expect(await confirm('bob', right)).toBe('too_many_requests');
    // Only for this account.
    expect(await confirm('ada', right)).toMatchObject({ hash });
  });
});

describe('a session', () => {
  test('is confirmed by the right password', async () => {
    expect(await asSession('ada', right)).toEqual(userOf('ada'));
    expect(await asSession('ada', 'wrong')).toBe('invalid_credentials');
  });

  test('needs the password of a user who has one', async () => {
    const refused = request(({ now }) => reauthenticate(callerOf('ada'), undefined, now));
    const detail = 'Is required, because the user has a password';
    const errors = [{ pointer: '/body/current_password', detail }];
    await expect(refused).rejects.toMatchObject({ errors });
  });

  test.each([
    ['without', right, 'the user has no password'],
    ['ada', 'wrong', 'wrong password'],
  ])('of %s with the password %j is refused, with its reason in the log', async (...given) => {
    const [uid, password, reason] = given;
    const refused = request(({ now }) => reauthenticate(callerOf(uid), password, now));
    await expect(refused).rejects.toMatchObject({ code: 'invalid_credentials', reason });
  });

  test('needs no password of a user without one, and refuses any', async () => {
    expect(await asSession('without')).toEqual(userOf('without'));
    expect(await asSession('without', right)).toBe('invalid_credentials');
  });

  test('of a project without password sign-in needs the password or a recent sign-in', async () => {
    const since = (seconds: number, given?: string) =>
      outcome(async (now) => {
        const created_at = new Date(now.getTime() - seconds * 1_000).toISOString();
        const later = Math.floor(now.getTime() / 1_000) + 60;
        const times = { created_at, idle_expires_at: later, expires_at: later };
        await faults.seed([{ ...keys.session('ada', 'sid'), project_id: 'demo', ...times }]);
        const caller = { ...callerOf('ada'), session_id: 'sid', project: {} as Project };
        return reauthenticate(caller, given, now);
      });
    expect(await since(lifetimes.recentSignIn - 1)).toEqual(userOf('ada'));
    expect(await since(lifetimes.recentSignIn)).toBe('reauthentication_required');
    expect(await since(lifetimes.recentSignIn, right)).toEqual(userOf('ada'));
    expect(await since(0, 'wrong')).toBe('invalid_credentials');
  });

  test('of an unknown user is unauthenticated', async () => {
    expect(await asSession('nobody')).toBe('unauthenticated');
    expect(await asSession('nobody', right)).toBe('unauthenticated');
  });
});
