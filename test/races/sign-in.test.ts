import { describe, expect, test } from 'vitest';
import { keys } from '../../shared/db/keys.ts';
import type { Answer } from '../support/call.ts';
import { settingsOf } from '../support/identities.ts';
import { startOpenidProvider } from '../support/openid-provider.ts';
import { goodPassword, type Started } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';
import { counted, disturbed, oneOf, times } from './many.ts';
import {
  expectOneOwner,
  itemsOf,
  knownCode,
  newScene,
  type Scene,
  sessionsOf,
  successes,
} from './scene.ts';

// No local engine raises TransactionConflict: here concurrent writes fail only by their conditions.
const world = await startWorld();
const provider = await startOpenidProvider();
const google = settingsOf(provider);
const token = (sub: string, email: string) => ({
  provider: 'google',
  id_token: provider.signed({ sub, email }),
});

describe('concurrent sign-ups of one e-mail make one user', () => {
  test('by three mailed tokens: with the password of the successful request', async () => {
    const at = await newScene(world);
    const { email } = at;
    const tokens: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      await at.post('/sign-up', { email });
      tokens.push(await at.mailed(email));
    }
    const passwordOf = (i: number) => `${goodPassword} ${i}`;
    // Not 200: each hashes a password, and one process would take longer than a function may run.
    const answers = await times(40, (i) =>
      at.post<Started>('/passwords', { token: tokens[i % 3], password: passwordOf(i) }),
    );
    expect(oneOf(40, '201', 'mail_token_invalid')).toContainEqual(counted(answers));
    const { uid, verified } = await expectOneOwner(world, at);
    expect(verified).toEqual({ email: true });
    expect(await sessionsOf(world, String(uid))).toHaveLength(1);
    const won = answers.findIndex(({ status }) => status === 201);
    if (won < 0) return;
    expect(answers[won]?.body).toMatchObject({ uid, user_created: true });
    for (const [i, status] of [
      [won, 201],
      [won + 1, 401],
    ] as const)
      expect((await at.post('/sessions/password', { email, password: passwordOf(i) })).status).toBe(
        status,
      );
  });

  test('by separate codes: all are signed in, and 50 sessions remain', async () => {
    const at = await newScene(world);
    // Not 200: one process would take longer than a request may, and a code is valid once.
    const proofs = await times(80, () => knownCode(at));
    const answers = await times(80, (i) => at.post<Started>('/sessions/code', proofs[i] ?? {}));
    await expectIn(at, answers, { 201: 80 }, 'invalid_credentials');
  });

  test('by one provider account, 200 times: all are signed in', async () => {
    const at = await newScene(world, { identity_providers: { google } });
    const body = token('one', at.email);
    const answers = await times(200, () => at.post<Started>('/sessions/identity', body));
    await expectIn(at, answers, { 201: 200 });
  });

  test('by 200 provider accounts: one of them is linked', async () => {
    const at = await newScene(world, { identity_providers: { google } });
    const answers = await times(200, (i) =>
      at.post<Started>('/sessions/identity', token(`of many ${i}`, at.email)),
    );
    expect(oneOf(200, '201', 'identity_conflict')).toContainEqual(counted(answers));
    const user = await expectOneOwner(world, at);
    await expectOneIdentity(at.project_id, user);
  });

  test('by codes, mailed tokens and a provider', async () => {
    const at = await newScene(world, { identity_providers: { google } });
    const { email } = at;
    await at.post('/sign-up', { email });
    const mailed = await at.mailed(email);
    const proofs = await times(20, () => knownCode(at));
    const ways = [
      (i: number) => at.post<Started>('/sessions/code', proofs[Math.floor(i / 3)] ?? {}),
      () => at.post<Started>('/sessions/identity', token('among others', email)),
      () => at.post<Started>('/passwords', { token: mailed, password: goodPassword }),
    ];
    const answers = await times(60, async (i) => ways[i % 3]?.(i) ?? Promise.reject());
    const { 201: started = 0, mail_token_invalid: late = 0, ...others } = counted(answers);
    if (!disturbed()) expect([started + late, others]).toEqual([60, {}]);
    expect([19, 20]).toContain(late);
    const user = await expectOneOwner(world, at);
    expect(new Set(successes(answers).map(({ body }) => body.uid))).toEqual(new Set([user['uid']]));
    expect(user['verified']).toEqual({ email: true });
    await expectOneIdentity(at.project_id, user);
  });
});

describe('attempts', () => {
  test('200 concurrent requests with the right code: one is signed in', async () => {
    const at = await newScene(world);
    const proof = await knownCode(at);
    const answers = await times(200, () => at.post<Started>('/sessions/code', proof));
    expect(oneOf(200, '201', 'invalid_credentials')).toContainEqual(counted(answers));
    // If a busy machine answered all five compared attempts with 503, the attempts are used up.
    if (disturbed() && !successes(answers).length) return;
    const { uid } = await expectOneOwner(world, at);
    expect(await sessionsOf(world, String(uid))).toHaveLength(1);
  });

  test('200 concurrent requests with the token and the code of a link: one is signed in', async () => {
    const at = await newScene(world);
    const { verifier, ...link } = await at.link(at.email);
    const { code } = (await at.post<{ code: string }>('/links/code', link)).body;
    const proofs = [
      { ...link, verifier },
      { link_id: link.link_id, code, verifier },
    ];
    const answers = await times(200, (i) =>
      at.post<Started>('/sessions/link', proofs[i % 2] ?? {}),
    );
    expect(oneOf(200, '201', 'invalid_credentials')).toContainEqual(counted(answers));
    if (disturbed() && !successes(answers).length) return;
    const { uid } = await expectOneOwner(world, at);
    expect(await sessionsOf(world, String(uid))).toHaveLength(1);
  });

  test('200 concurrent wrong codes: five are compared, and then the right code is refused', async () => {
    const at = await newScene(world);
    const { challenge_id, code } = await knownCode(at);
    const wrong = (i: number) => String((Number(code) + 1 + i) % 1_000_000).padStart(6, '0');
    const answers = await times(200, (i) =>
      at.post('/sessions/code', { challenge_id, code: wrong(i) }),
    );
    expect(counted(answers)).toEqual({ invalid_credentials: 200 });
    expect(await world.table.get(keys.challenge(challenge_id))).toMatchObject({ tries: 5 });
    expect((await at.post('/sessions/code', { challenge_id, code })).status).toBe(401);
  });

  test('200 concurrent wrong passwords: ten are compared, and a code still signs in', async () => {
    const at = await newScene(world);
    const { email } = at;
    const { uid } = await at.signUp(email);
    const answers = await times(200, (i) =>
      at.post('/sessions/password', { email, password: `wrong battery horse ${i}` }),
    );
    const { invalid_credentials: compared = 0, too_many_requests: not } = counted(answers);
    expect(compared + (not ?? 0)).toBe(200);
    expect(compared).toBeLessThanOrEqual(10);
    if (!disturbed()) expect(compared).toBe(10);
    const right = await at.post('/sessions/password', { email, password: goodPassword });
    expect(right.status).toBe(429);
    expect((await at.post<Started>('/sessions/code', await knownCode(at))).body.uid).toBe(uid);
  });

  test('ten concurrent right passwords lock no user out', async () => {
    const at = await newScene(world);
    const { email } = at;
    await at.signUp(email);
    for (let round = 0; round < 3; round += 1) {
      const answers = await times(10, () =>
        at.post<Started>('/sessions/password', { email, password: goodPassword }),
      );
      expect(counted(answers)).toEqual({ 201: 10 });
    }
  });

  test('200 concurrent requests for mails to one e-mail send three', async () => {
    const { post, project_id } = await newScene(world);
    const answers = await times(200, (i) =>
      post(['/codes', '/sign-up', '/passwords/forgotten'][i % 3] ?? '', {
        email: i % 2 ? 'often@example.com' : 'Often@Example.com',
      }),
    );
    const { 202: mailed = 0, too_many_requests: refused = 0 } = counted(answers);
    expect([mailed + refused, mailed <= 3]).toEqual([200, true]);
    const mails = (await itemsOf(world, project_id)).filter(({ sk }) => sk === 'MAIL');
    expect(mails.length).toBeLessThanOrEqual(3);
    if (!disturbed()) expect([mailed, mails.length]).toEqual([3, 3]);
  });
});

/** All must be signed in as one user, created by one of them, with the maximum number of sessions. */
async function expectIn(
  at: Scene,
  answers: Answer<Started>[],
  expected: Record<string, number>,
  lost?: string,
) {
  const started = successes(answers);
  if (disturbed() && lost !== undefined)
    expect(started.length + (counted(answers)[lost] ?? 0)).toBe(answers.length);
  else expect(counted(answers)).toEqual(expected);
  const makers = started.filter(({ body }) => body.user_created);
  expect(disturbed() ? [0, 1] : [1]).toContain(makers.length);
  const { uid } = await expectOneOwner(world, at);
  expect(new Set(started.map(({ body }) => body.uid))).toEqual(new Set([uid]));
  expect((await sessionsOf(world, String(uid))).length).toBeGreaterThanOrEqual(50);
  // A start that times out before ending the oldest sessions leaves them to the next one.
  await world.session(String(uid), at.project);
  expect(await sessionsOf(world, String(uid))).toHaveLength(50);
}

/** The linked provider account must be the one that the user item shows. */
async function expectOneIdentity(project_id: string, user: Record<string, unknown>) {
  const items = await itemsOf(world, project_id);
  const identities = items.filter(({ sk }) => sk === 'IDENTITY');
  const { subject } = (user['identities'] as { google: { subject: string } }).google;
  const { pk } = keys.identity(project_id, provider.issuer, subject);
  expect(identities).toMatchObject([{ pk, uid: user['uid'], provider: 'google' }]);
}
