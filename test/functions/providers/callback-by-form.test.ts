import { decodeJwt, decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import { formOf } from '../../support/oauth.ts';
import { appleSettings, startStandIn } from '../../support/provider-stand-in.ts';
import {
  goThrough,
  personAt,
  providerProject,
  redeem,
  upToCallback,
} from '../../support/providers.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const apple = await startStandIn('apple');
const ours = await providerProject(world, [apple]);
const named = (firstName: unknown, lastName: unknown) =>
  JSON.stringify({ name: { firstName, lastName }, email: 'somebody.else@example.com' });

test('303 with a code; the client secret is a signed token that expires after five minutes', async () => {
  const person = personAt('apple');
  apple.is(person, named('Ada', 'Lovelace'));
  const came = await goThrough(world, ours, 'apple', { query: { state: 'x' } });
  expect(came.given).toEqual({ from: 'provider', code: came.code, state: 'x' });
  const { body } = await redeem(ours, came);
  // The e-mail that is posted beside the code is not trusted.
  expect(body.user).toMatchObject({
    email: person.email,
    display_name: 'Ada Lovelace',
    name: { given_name: 'Ada', family_name: 'Lovelace', formatted: 'Ada Lovelace' },
  });
  const secret = new URLSearchParams(apple.calls.at(-1)?.body).get('client_secret') ?? '';
  const { team_id, key_id } = appleSettings;
  expect(decodeProtectedHeader(secret)).toEqual({ alg: 'ES256', kid: key_id });
  const { iat = 0, exp = 0, ...claims } = decodeJwt(secret);
  expect(claims).toEqual({ iss: team_id, sub: apple.client_id, aud: apple.issuer });
  expect(exp - iat).toBe(300);
  expect(apple.calls.at(-1)?.body).not.toContain('PRIVATE');
});

test.each([
  ['no user', undefined],
  ['HTML', '<b>Ada</b>'],
  ['null', 'null'],
  ['a name that is no object', '{"name":"Ada"}'],
  ['numbers', named(1, {})],
  ['control characters', named('\u202e', '\n')],
])('303 without a name where Apple posts %s', async (_, user) => {
  const person = personAt('apple');
  apple.is(person, user);
  const { body } = await redeem(ours, await goThrough(world, ours, 'apple'));
  expect(body.user).toMatchObject({ email: person.email, display_name: '' });
});

test('400 without the cookie of the browser that started', async () => {
  apple.is(personAt('apple'));
  const { path, form = {}, cookie } = await upToCallback(world, ours, 'apple');
  const posted = formOf(path, form);
  expect((await world.call(posted)).status).toBe(400);
  const withCookie = { ...posted, headers: { ...posted.headers, cookie } };
  const [first, second] = [await world.call(withCookie), await world.call(withCookie)];
  expect([first.status, second.status]).toEqual([303, 303]);
  expect(second.headers.get('location')).toBe(first.headers.get('location'));
});

test('303 with an error if the user cancels', async () => {
  apple.behave({
    answer: (url) => {
      url.searchParams.delete('code');
      url.searchParams.set('error', 'user_cancelled_authorize');
      return url;
    },
  });
  const { given } = await goThrough(world, ours, 'apple');
  expect(given).toEqual({ from: 'provider', error: 'access_denied' });
  apple.behave();
});
