import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { hashPassword } from '#shared/identity/passwords/password-hash.ts';
import { newPassword } from '#shared/identity/passwords/passwords.ts';
import { newAuthenticator } from '../support/authenticator.ts';
import { expectProblem } from '../support/expectations.ts';
import { type MfaRequired, newApp } from '../support/factors.ts';
import { page, passkeyProject } from '../support/passkeys.ts';
import { startStandIn } from '../support/provider-stand-in.ts';
import {
  goThrough,
  personAt,
  redeem,
  returnUrl,
  setSecret,
  signInAt,
} from '../support/providers.ts';
import { goodPassword, type Started } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';

/**
 * Pre-hijacking: an attacker signs up with the victim's e-mail through a provider that is not authoritative for it,
 * prepares every sign-in method, and waits for the victim to sign in by each method.
 */
const world = await startWorld();
const [discord, google] = await Promise.all([startStandIn('discord'), startStandIn('google')]);
const ours = await passkeyProject(world, {
  mfa: 'optional',
  sign_in_providers: { discord: discord.settings, google: google.settings },
  return_urls: [returnUrl],
});
const { post } = ours;
for (const standIn of [discord, google]) await setSecret(world, ours, standIn);
const preparedPassword = `${goodPassword} of the attacker`;
const hash = await hashPassword(preparedPassword);
let victims = 0;

/** An account with the victim's e-mail, and everything that an attacker can set up in it. */
async function prepare() {
  victims += 1;
  const email = `prepared${victims}@gmail.com`;
  const account = personAt('discord', email);
  const { status, body } = await signInAt(world, ours, discord, account);
  expect([status, body.user.verified]).toEqual([201, { email: false }]);
  const attacker = ours.person(body);
  const { uid, bearer } = attacker;
  const { device_token } = body as { device_token?: string };
  expect(device_token).toMatch(/^dt_/);
  const { authenticator } = await ours.add(attacker);
  const { factors } = world.as(attacker);
  const started = await factors.startTotp({});
  const app = newApp(started.body.secret);
  const confirmed = await factors.confirmTotp({ code: await app.codeBefore() });
  expect(confirmed.status).toBe(201);
  const [recovery_code = ''] = confirmed.body.recovery_codes;
  const away = `away.${email}`;
  expect((await world.call('POST', '/users/me/email', bearer, { email: away })).status).toBe(202);
  const change = await ours.mailed(away);
  // As after an import by the backend.
  await world.table.put(newPassword(uid, hash, new Date(0)));
  const user = (await world.table.get(keys.user(uid))) as { sign_in_methods: object };
  await world.table.update(keys.user(uid), {
    sign_in_methods: { ...user.sign_in_methods, idpw: { enabled: true } },
  });
  const asked = await post<MfaRequired>('/sessions/password', {
    email,
    password: preparedPassword,
  });
  expect(asked.status).toBe(200);
  const { mfa_token } = asked.body;
  const prepared = { authenticator, app, recovery_code, change, device_token, mfa_token };
  return { email, account, attacker, refresh_token: body.refresh_token, ...prepared };
}
type Prepared = Awaited<ReturnType<typeof prepare>>;

/** The victim is signed in, and nothing that the attacker prepared opens the account. */
async function expectAlone(at: Prepared, victim: Started) {
  const { email, attacker, authenticator, app, recovery_code, change, mfa_token } = at;
  const { uid } = attacker;
  expect([victim.uid, victim.user.verified]).toEqual([uid, { email: true }]);
  const bearer = `Bearer ${victim.access_token}`;
  const mine = world.as(bearer);
  const { total } = (await mine.sessions.list()).body;
  expect(total).toBe(1);
  expect((await mine.factors.list()).body.total).toBe(0);
  expect((await mine.passkeys.list()).body.total).toBe(0);
  expect((await mine.users.getMe()).body.sign_in_methods?.['discord']).toBeUndefined();
  expect((await world.table.get(keys.user(uid)))?.['devices']).toHaveLength(1);

  expectProblem(await world.call('GET', '/users/me', attacker.bearer), 'unauthenticated');
  const refresh = { accessToken: attacker.access_token };
  const renewed = await world.call(
    ...(['POST', '/sessions/token/refresh', `Bearer ${at.refresh_token}`, refresh] as const),
  );
  expect(renewed.status).toBe(401);
  const byPassword = await post('/sessions/password', { email, password: preparedPassword });
  expectProblem(byPassword, 'invalid_credentials');
  expectProblem(await ours.signInBy(authenticator), 'invalid_credentials');
  for (const proof of [{ code: app.code(1) }, { recovery_code }])
    expectProblem(await post('/sessions/mfa', { mfa_token, ...proof }), 'mfa_token_invalid');
  const confirming = { token: change };
  const path = '/users/me/email/confirmation';
  expectProblem(await world.call('POST', path, attacker.bearer, confirming), 'unauthenticated');
  expectProblem(await world.call('POST', path, bearer, confirming), 'mail_token_invalid');
  const byProvider = await signInAt(world, ours, discord, at.account);
  expectProblem(byProvider, 'identity_link_required');
}

const orders: [string, (at: Prepared) => Promise<{ status: number; body: Started }>][] = [
  ['a mailed link', async ({ email }) => post('/sessions/link', await ours.link(email))],
  ['a mailed code', async ({ email }) => post('/sessions/code', await ours.code(email))],
  [
    'a sign-up with a password',
    async ({ email }) => {
      await post('/sign-up', { email });
      return post('/passwords', { token: await ours.mailed(email), password: goodPassword });
    },
  ],
  [
    'a link, on a browser that the attacker has given the token of their device',
    async ({ email, device_token }) =>
      post('/sessions/link', { ...(await ours.link(email)), device_token }),
  ],
];

describe('after an attacker prepared the account, the victim signs up with', () => {
  test.each(orders)('%s: keeps nothing that the attacker prepared', async (_, enter) => {
    const at = await prepare();
    const { status, body } = await enter(at);
    expect(status).toBe(201);
    await expectAlone(at, body);
  });

  test('a code, and adds a passkey that only they can use', async () => {
    const at = await prepare();
    const { body } = await post<Started>('/sessions/code', await ours.code(at.email));
    await expectAlone(at, body);
    const authenticator = newAuthenticator(page);
    await ours.add({ bearer: `Bearer ${body.access_token}` }, authenticator);
    const entered = await ours.signInBy(authenticator);
    expect([entered.status, entered.body.uid]).toEqual([201, body.uid]);
    expectProblem(await ours.signInBy(at.authenticator), 'invalid_credentials');
  });

  test('an authoritative provider: only a mailed link confirms the account, and removes what the attacker prepared', async () => {
    const at = await prepare();
    const victim = personAt('google', at.email);
    google.is(victim);
    const came = await goThrough(world, ours, 'google');
    expectProblem(await redeem(ours, came), 'identity_link_required');
    const { body } = await post<Started>('/sessions/link', await ours.link(at.email));
    await expectAlone(at, body);
    const linked = await signInAt(world, ours, google, victim);
    expect([linked.status, linked.body.uid]).toEqual([201, body.uid]);
    expectProblem(await signInAt(world, ours, discord, at.account), 'identity_link_required');
  });
});
