import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { beforeAll, expect, test, vi } from 'vitest';
import { verifyAccessToken } from '#shared/access/access-token.ts';
import type { SessionItem } from '#shared/access/live-session.ts';
import { readRefreshToken } from '#shared/access/refresh-token.ts';
import { runInRequest } from '#shared/db/request-context.ts';
import { isSingleFactor } from '#shared/identity/sessions/authentication.ts';
import { accessTokenOf, issueTokens } from '#shared/identity/sessions/session-response.ts';
import type { UserItem } from '#shared/identity/users/users.ts';
import { sha256 } from '#shared/model/ids.ts';
import { lifetimes } from '#shared/model/limits.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const refreshSecret = createSecretKey(Buffer.alloc(32, 7));
const issuer = 'https://id.example.com';
const uid = '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01';
const session_id = '7d1b6f0e-3c55-4d44-9a53-0b0f3f5e2f11';
const session = {
  ...{ uid, session_id, project_id: 'demo', counter: 3, method: 'idpw' },
  created_at: '2026-11-21T07:00:00.900Z',
  rotated_at: '2026-11-21T08:00:00.900Z',
} as unknown as SessionItem;
const user = {
  ...{ uid, project_id: 'demo', email: 'ada@example.com', verified: { email: true } },
  wallet: { address: 'x', type: 'service' },
  ...{ pk: `USER#${uid}`, sk: 'USER', created_at: session.rotated_at },
} as unknown as UserItem;
const issue = (of: SessionItem, created: boolean) => {
  const access_token = accessTokenOf(of, user, {}, { kid: 'k', privateKey });
  return issueTokens({ session: of, user, created }, access_token, refreshSecret);
};
const rotated = Math.floor(Date.parse(session.rotated_at) / 1_000);

beforeAll(() => {
  vi.stubEnv('BASE_URL', issuer);
});

test('returns both tokens and the user, and records the subject for the log', async () => {
  await runInRequest('test', 2_500, async (request) => {
    const issued = issue(session, true);
    const members = ['access_token', 'refresh_token', 'uid', 'user', 'user_created'];
    expect(Object.keys(issued)).toEqual(members);
    expect(issued).toMatchObject({ uid, user_created: true });
    expect(issued.user).toMatchObject({ uid, email: 'ada@example.com' });
    expect(request.subject).toEqual({ project_id: 'demo', uid, session_id });
    const now = new Date(rotated * 1_000);
    const find = (kid: string) => Promise.resolve(kid === 'k' ? publicKey : undefined);
    expect(await verifyAccessToken(issued.access_token, issuer, now, find)).toEqual({
      ...{ iss: issuer, sub: uid, aud: 'demo', client_id: 'demo', sid: session_id },
      ...{ iat: rotated, exp: rotated + lifetimes.accessToken },
      jti: sha256(`${session_id} 3 ${rotated - 3_600}`).slice(0, 22),
      ...{ email: 'ada@example.com', email_verified: true },
      ...{ auth_time: rotated - 3_600, amr: ['pwd'], acr: 'aal1' },
    });
    const read = readRefreshToken(issued.refresh_token, refreshSecret);
    expect(read).toEqual({ uid, session_id, counter: 3 });
  });
});

test('returns the same tokens for the same session, and others after a refresh', () => {
  runInRequest('test', 2_500, () => {
    const one = issue(session, false);
    expect(issue(session, false)).toEqual(one);
    const next = issue({ ...session, counter: 4 }, false);
    expect(next.access_token).not.toBe(one.access_token);
    expect(next.refresh_token).not.toBe(one.refresh_token);
  });
});

// Up to 0.27.0 an operator could name a provider so.
test.each(['totp', 'recovery_code'])(
  'a session by a provider named %s has one factor',
  (method) => {
    expect(isSingleFactor({ ...session, method })).toBe(true);
    expect(isSingleFactor({ ...session, method, second_factor: 'totp' })).toBe(false);
  },
);
