import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { providerSecretText } from '#shared/model/provider-secret.ts';
import { type OpenidUser, startOpenidProvider } from '../../support/openid-provider.ts';
import { newBrowser, redeem, returnUrl, startOf } from '../../support/providers.ts';
import { signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

/**
 * The sign-in by redirect at an independent provider implementation (`oidc-provider`): it requires PKCE, accepts a code
 * once, puts the nonce into the ID token, and identifies itself in its response (RFC 9207).
 */
const world = await startWorld();
const callback = `${world.url}/oauth/own/callback`;
const provider = await startOpenidProvider({ callbacks: [callback] });
const ours = await signInProject(world, {
  sign_in_providers: { own: provider.redirecting },
  return_urls: [returnUrl],
});
await world.providerSecrets.set(
  `${ours.project_id}/own`,
  providerSecretText(provider.redirecting, provider.secret),
);
let people = 0;

function newPerson(): OpenidUser & { email: string } {
  people += 1;
  const email = `own${people}@example.com`;
  const person = { sub: `person-${people}`, email, email_verified: true, name: 'Ada Lovelace' };
  provider.know(person);
  return person;
}

type Change = (url: URL) => void;
/** Signs a user in at the provider and returns; `way` changes the addresses of both redirects. */
async function go(sub: string, way: { there?: Change; back?: Change } = {}) {
  provider.chooseNext(() => ({ signsInAs: sub }));
  const browser = newBrowser(world.url);
  const { url, code_verifier } = startOf(world, ours, 'own');
  const { location = '' } = await browser.visit(url);
  const there = new URL(location);
  way.there?.(there);
  const { to } = await browser.follow(there.href, (at) => at.startsWith(callback));
  const back = new URL(to);
  way.back?.(back);
  const { status, location: home } = await browser.visit(back.href);
  const given = home === undefined ? {} : Object.fromEntries(new URL(home).searchParams);
  return { status, there, back, given, code: given['code'] ?? '', code_verifier };
}

test('a user is signed up with the claims of the ID token, and signed in the next time', async () => {
  const { sub, email } = newPerson();
  const first = await go(sub);
  expect(Object.fromEntries(first.there.searchParams)).toMatchObject({
    ...{ client_id: 'redirecting', response_type: 'code', redirect_uri: callback },
    ...{ code_challenge_method: 'S256', nonce: expect.stringMatching(/^[\w-]{43}$/) },
  });
  expect(first.back.searchParams.get('iss')).toBe(provider.issuer);
  const up = await redeem(ours, first);
  expect([up.status, up.body.user_created, up.body.user.email]).toEqual([201, true, email]);
  expect(up.body.user.display_name).toBe('Ada Lovelace');
  const again = await redeem(ours, await go(sub));
  expect([again.status, again.body.user_created, again.body.uid]).toEqual([
    ...[201, false, up.body.uid],
  ]);
});

describe('the sign-in is refused', () => {
  const expectRefused = ({ status, given }: Awaited<ReturnType<typeof go>>) => {
    expect([status, given]).toEqual([302, { from: 'provider', error: 'provider_failed' }]);
  };

  test('if the challenge is another one, for which the provider refuses the verifier', async () => {
    const { sub } = newPerson();
    const there = ({ searchParams }: URL) => searchParams.set('code_challenge', 'x'.repeat(43));
    expectRefused(await go(sub, { there }));
  });

  test('if the challenge is removed, because the provider requires one', async () => {
    const { sub } = newPerson();
    const there = ({ searchParams }: URL) => {
      searchParams.delete('code_challenge');
      searchParams.delete('code_challenge_method');
    };
    const refused = await go(sub, { there });
    expect(refused.back.searchParams.get('error')).toBe('invalid_request');
    expectRefused(refused);
  });

  test('if the nonce is another one', async () => {
    const { sub } = newPerson();
    const there = ({ searchParams }: URL) => searchParams.set('nonce', 'n'.repeat(43));
    expectRefused(await go(sub, { there }));
  });

  test('if the response names another provider, or none', async () => {
    const { sub } = newPerson();
    const other = ({ searchParams }: URL) => searchParams.set('iss', 'https://other.example.com');
    expectRefused(await go(sub, { back: other }));
    const none = ({ searchParams }: URL) => searchParams.delete('iss');
    expectRefused(await go(sub, { back: none }));
  });

  test('with the code of a sign-in that another browser began', async () => {
    const [mine, victim] = [newPerson(), newPerson()];
    let code = '';
    const keep = ({ searchParams }: URL) => {
      code = searchParams.get('code') ?? '';
      searchParams.set('code', 'lost');
    };
    await go(mine.sub, { back: keep });
    const inject = ({ searchParams }: URL) => searchParams.set('code', code);
    expectRefused(await go(victim.sub, { back: inject }));
  });

  test('with a state that this browser did not begin', async () => {
    const { sub, email } = newPerson();
    const back = ({ searchParams }: URL) => searchParams.set('state', 'x'.repeat(43));
    const { status, given } = await go(sub, { back });
    expect([status, given]).toEqual([400, {}]);
    expect(await world.table.get(keys.emailGuard(ours.project_id, email))).toBeUndefined();
  });

  test('a user who refuses at the provider returns with that error', async () => {
    provider.chooseNext(() => 'refuses');
    const browser = newBrowser(world.url);
    const { to } = await browser.follow(startOf(world, ours, 'own').url);
    expect(new URL(to).searchParams.get('error')).toBe('access_denied');
  });
});
