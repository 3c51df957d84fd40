import { afterEach, expect, test } from 'vitest';
import { providerLimits } from '#shared/model/provider-limits.ts';
import { expectProblem } from '../../support/expectations.ts';
import { keepingProject, refreshesOf, signedInThere } from '../../support/kept-tokens.ts';
import { pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const [google, own] = await Promise.all([
  keepingProject(world, 'google'),
  keepingProject(world, 'oidc'),
]);
const standIns = [google.standIn, own.standIn];
afterEach(() => {
  for (const each of standIns) each.behave();
});

const over = { expires_in: 0 };
const longAccess = { longer: providerLimits.token };
const longRefresh = { longerRefresh: providerLimits.token };
const sentOf = () => refreshesOf(own.standIn).map((each) => each.get('refresh_token'));

test('an access token of a sign-in that is too long is not stored, but the refresh token is', async () => {
  const ada = await signedInThere(world, google, { behave: longAccess });
  const before = refreshesOf(google.standIn).length;
  expect((await ada.token()).status).toBe(200);
  expect(refreshesOf(google.standIn)).toHaveLength(before + 1);
});

test('an access token of a refresh that is too long is returned but not stored; the next call refreshes again', async () => {
  const ada = await signedInThere(world, own, { behave: over });
  own.standIn.behave(longAccess);
  const before = sentOf().length;
  const tokens = [await ada.token(), await ada.token()];
  expect(tokens.map(({ status }) => status)).toEqual([200, 200]);
  // If the provider omits the scope, it is unchanged.
  const scope = 'openid email profile offline_access';
  expect(tokens.map(({ body }) => body.scope)).toEqual([scope, scope]);
  expect(tokens[0]?.body.access_token.length).toBeGreaterThan(providerLimits.token);
  const sent = sentOf().slice(before);
  expect([sent.length, new Set(sent).size]).toEqual([2, 2]);
  expect((await ada.kept())?.['refreshing_until']).toBeUndefined();
});

test('with a refresh token that is too long, the access token is returned until it expires, then a sign-in is required', async () => {
  const ada = await signedInThere(world, own, { behave: over });
  own.standIn.behave(longRefresh);
  const { status, body } = await ada.token();
  expect(status).toBe(200);
  const sent = sentOf();
  expect((await ada.token()).body).toEqual(body);
  pass(3_600_000);
  expectProblem(await ada.byBackend(), 'provider_sign_in_required');
  expect(sentOf()).toEqual(sent);
});

test('tokens of a later sign-in replace the earlier ones even if they are too long to store', async () => {
  const ada = await signedInThere(world, google);
  const { body } = await ada.token();
  // Without consent, Google issues no new refresh token.
  const query = { prompt: 'select_account' };
  await signedInThere(world, google, { somebody: ada.somebody, query, behave: longAccess });
  const { status, body: later } = await ada.token();
  expect([status, later.access_token === body.access_token]).toEqual([200, false]);

  const grace = await signedInThere(world, own);
  const { somebody } = grace;
  await signedInThere(world, own, { somebody, behave: { ...longRefresh, ...over } });
  const sent = sentOf();
  expectProblem(await grace.token(), 'provider_sign_in_required');
  expect(sentOf()).toEqual(sent);
});
