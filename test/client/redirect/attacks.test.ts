import { expect, test } from 'vitest';
import { ApiError } from '../../../client/api-error.ts';
import { callback, reissued } from '../../support/oauth.ts';
import { pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';
import { redirectScene, refused } from './scene.ts';

/**
 * Responses that do not match this browser's request (RFC 9700, OpenID Connect Core 1.0), and responses that arrive
 * twice.
 */
const world = await startWorld();
const { ada, project_id, web, tab, network, start, roundTrip, redemptions } =
  await redirectScene(world);
test.each([
  ['a response with another state', (back: URL) => back.searchParams.set('state', 'x'.repeat(43))],
  ['a response without a state', (back: URL) => back.searchParams.delete('state')],
  ['a response to a request of another browser', () => tab.stored.clear()],
  ['a response after an hour', () => pass(3_600_000)],
  [
    'a response with invalid stored requests',
    () => tab.stored.set(`sign-in ${web.client_id}`, '{'),
  ],
])('%s is refused before the code is used', async (_, change) => {
  const application = start();
  const back = await roundTrip(application);
  change(back);
  tab.url = back;
  await expect(application.finish()).rejects.toEqual(refused('state_mismatch'));
  expect(application.auth.session).toBeNull();
  expect(tab.url.href).toBe(callback);
  expect(network.asked).toEqual([]);
});

test('a response of an identity provider stays in the address, and keeps pending requests', async () => {
  const application = start();
  const back = await roundTrip(application);
  tab.url = new URL(`${callback}?code=${'c'.repeat(43)}&state=provider.${'s'.repeat(43)}`);
  const before = tab.url.href;
  expect(await application.finish()).toBeUndefined();
  expect(tab.url.href).toBe(before);
  expect(network.asked).toEqual([]);
  tab.url = back;
  expect(await start().finish()).toMatchObject({ uid: ada.uid });
});

test('a response without a pending request is refused, even without a state', async () => {
  tab.url = new URL(`${callback}?code=${'c'.repeat(43)}&iss=${world.url}`);
  await expect(start().finish()).rejects.toEqual(refused('state_mismatch'));
  expect(network.asked).toEqual([]);
});

test.each([
  ['of another server', (back: URL) => back.searchParams.set('iss', 'https://evil.example.com')],
  ['without an issuer', (back: URL) => back.searchParams.delete('iss')],
])('does not redeem the code of a response %s (mix-up, RFC 9207)', async (_, change) => {
  const application = start();
  const back = await roundTrip(application);
  change(back);
  tab.url = back;
  await expect(application.finish()).rejects.toEqual(refused('issuer_mismatch'));
  expect(network.asked).toEqual([]);
});

test.each([
  ['the nonce of another request', { nonce: 'x' }],
  ['no nonce', { nonce: undefined }],
  ['another audience', { aud: `${project_id}.native` }],
  ['another issuer', { iss: 'https://evil.example.com' }],
])('an ID token with %s signs no user in', async (_, changes) => {
  const application = start();
  tab.url = await roundTrip(application);
  network.meddle = (tokens) => ({ ...tokens, id_token: reissued(tokens.id_token, changes) });
  await expect(application.finish()).rejects.toEqual(refused('id_token_mismatch'));
  expect(application.auth.session).toBeNull();
});

test.each(['', 'x', 'a.!.c'])('an invalid ID token (%j) signs no user in', async (id_token) => {
  const application = start();
  tab.url = await roundTrip(application);
  network.meddle = (tokens) => ({ ...tokens, id_token });
  await expect(application.finish()).rejects.toEqual(refused('id_token_mismatch'));
});

test('a code that was already redeemed is an ApiError, and ends the session that it started', async () => {
  const application = start();
  const back = await roundTrip(application);
  const pending = new Map(tab.stored);
  tab.url = back;
  await application.finish();
  // An attacker has a copy of the whole tab.
  tab.url = back;
  tab.stored = pending;
  const second = start();
  const error: unknown = await second.finish().catch((each: unknown) => each);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 400 });
  expect(second.auth.session).toBeNull();
  await expect(application.auth.api.users.getMe({})).rejects.toMatchObject({ status: 401 });
});

test('the same response again, as after "back", redeems nothing and keeps the session', async () => {
  const application = start();
  const back = await roundTrip(application);
  tab.url = back;
  await application.finish();
  tab.url = back;
  await expect(start().finish()).rejects.toEqual(refused('state_mismatch'));
  expect(redemptions()).toBe(1);
  expect((await application.auth.api.users.getMe({})).status).toBe(200);
});
