import { expect, test } from 'vitest';
import { provider } from '#shared/contract/examples/oauth.ts';
import { keys } from '#shared/db/keys.ts';
import { claimsOf } from '../../model/tokens.ts';
import { oauthScene } from '../../support/oauth.ts';
import { sessionIdOf } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const path = '/.well-known/openid-configuration';

test('200 the documented configuration, without a credential and with a cache lifetime', async () => {
  const { status, headers, body } = await world.call('GET', path);
  expect(status).toBe(200);
  // The example of the reference, so that it shows the actual response.
  expect(body).toEqual(JSON.parse(JSON.stringify(provider).replaceAll(provider.issuer, world.url)));
  expect(headers.get('cache-control')).toBe('public, max-age=300');
});

test('claims_supported are exactly the claims of an ID token and of /userinfo', async () => {
  const scene = await oauthScene(world);
  const ada = await scene.visitor({
    display_name: 'Ada',
    name: { given_name: 'Ada', family_name: 'Lovelace', formatted: 'Ada Lovelace' },
    preferred_username: 'ada',
    thumbnail_url: 'https://example.com/ada.png',
    profile_url: 'https://example.com/ada',
  });
  // The sign-in method is known for sign-ins by the service, not for sessions that a backend started.
  const key = keys.session(ada.uid, sessionIdOf(ada));
  await world.table.update(key, { method: 'idpw' });
  const { id_token, access_token } = await scene.tokens(ada, scene.web, { nonce: 'n-1' });
  const userinfo = await world.call('GET', '/userinfo', `Bearer ${access_token}`);
  const claims = new Set([...Object.keys(claimsOf(id_token)), ...Object.keys(userinfo.body)]);
  const { body } = await world.call('GET', path);
  expect([...claims].toSorted()).toEqual(body.claims_supported.toSorted());
});
