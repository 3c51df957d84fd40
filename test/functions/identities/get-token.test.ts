import { afterEach, describe, expect, test, vi } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { keepingProject, refreshesOf, signedInThere } from '../../support/kept-tokens.ts';
import { oauthScene } from '../../support/oauth.ts';
import {
  goThrough,
  personAt,
  providerProject,
  redeem,
  returnUrl,
  setSecret,
} from '../../support/providers.ts';
import { pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const all = await Promise.all([
  keepingProject(world, 'google', { impersonation: 'on' }),
  keepingProject(world, 'oidc'),
  keepingProject(world, 'github'),
  keepingProject(world, 'gitlab'),
]);
const [google, own, github, gitlab] = all;
afterEach(() => {
  for (const { standIn } of all) {
    standIn.behave();
    standIn.down(false);
  }
});
/** Late enough that the provider's access token, which lasts an hour, has expired. */
const anHourLater = () => pass(3_600_000);
const over = { behave: { expires_in: 0 } };

describe('200', () => {
  test('with the access token of the sign-in while it is valid, and never the refresh token', async () => {
    const ada = await signedInThere(world, google);
    const { status, body, headers } = await ada.token();
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^token-of-google-/),
      token_type: 'Bearer',
      expires_at: expect.any(String),
      scope: 'openid email profile',
    });
    expect(Math.round((Date.parse(body.expires_at) - Date.now()) / 60_000)).toBe(60);
    expect((await ada.token()).body).toEqual(body);
    expect(refreshesOf(google.standIn)).toEqual([]);
  });

  test('with the token of a linked account; linking or signing in again replaces it', async () => {
    const ada = await world.user({ project: google.project });
    const somebody = personAt('google');
    google.standIn.is(somebody);
    const { identities } = world.as(ada);
    const link = async () => {
      const { code, code_verifier } = await goThrough(world, google, 'google');
      return identities.link({ provider: 'google', code, code_verifier });
    };
    const read = () => identities.getToken({ provider: 'google' });
    expect((await link()).status).toBe(200);
    const first = await read();
    expect(first.status).toBe(200);
    expect((await link()).status).toBe(200);
    const second = await read();
    expect(second.body.access_token).not.toBe(first.body.access_token);
    const again = await redeem(google, await goThrough(world, google, 'google'));
    expect(again.status).toBe(201);
    expect((await read()).body.access_token).not.toBe(second.body.access_token);
  });

  test('with the token of the linked provider name; a sign-in by another name of the provider keeps it', async () => {
    const { standIn, name } = own;
    const both = [standIn, { ...standIn, name: 'second' }];
    const ours = await providerProject(world, both, {}, { keep_tokens: true });
    const ada = await signedInThere(world, { ...ours, standIn, name });
    const before = await ada.kept();
    const again = await redeem(ours, await goThrough(world, ours, 'second'));
    expect([again.status, again.body.uid]).toEqual([201, ada.uid]);
    expect(await ada.kept()).toEqual(before);
  });

  test('with a refreshed token, which is stored, in its last minute if half of its life is over', async () => {
    const ada = await signedInThere(world, own, { behave: { expires_in: 59 } });
    const before = refreshesOf(own.standIn).length;
    await ada.token();
    expect(refreshesOf(own.standIn)).toHaveLength(before);
    pass(30_000);
    const { body } = await ada.token();
    // If the provider omits the scope, it is unchanged.
    expect(body.scope).toBe('openid email profile offline_access');
    expect((await ada.token()).body).toEqual(body);
    expect(refreshesOf(own.standIn)).toHaveLength(before + 1);
    // Each refresh issues another refresh token, which the next refresh uses.
    anHourLater();
    const next = await ada.byBackend();
    expect([next.status, next.body.access_token === body.access_token]).toEqual([200, false]);
    const [first, second] = refreshesOf(own.standIn).slice(-2);
    expect(first?.get('refresh_token')).not.toBe(second?.get('refresh_token'));
  });

  test('with the refresh token of an earlier sign-in if a later one brought none, as at Google', async () => {
    const ada = await signedInThere(world, google);
    await signedInThere(world, google, {
      ...{ somebody: ada.somebody, query: { prompt: 'select_account' } },
      ...over,
    });
    const { status } = await ada.token();
    expect([status, refreshesOf(google.standIn).length]).toEqual([200, 1]);
  });

  test('without an expiry if the provider names none', async () => {
    const ada = await signedInThere(world, github);
    anHourLater();
    const { body } = await ada.byBackend();
    expect(Object.keys(body).toSorted()).toEqual(['access_token', 'scope', 'token_type']);
  });

  test.each([{ expires_in: undefined }, { tokens: { expires_in: null } }])(
    'with a token refreshed after an hour if the provider does not name its expiry (%j)',
    async (behave) => {
      const ada = await signedInThere(world, own, { behave });
      own.standIn.behave(behave);
      const before = refreshesOf(own.standIn).length;
      const { body } = await ada.token();
      expect(body).not.toHaveProperty('expires_at');
      anHourLater();
      const later = await ada.byBackend();
      expect([later.status, later.body.access_token === body.access_token]).toEqual([200, false]);
      expect(refreshesOf(own.standIn)).toHaveLength(before + 1);
    },
  );

  test('with the token that is left while the provider is down, after one attempt to refresh it', async () => {
    const ada = await signedInThere(world, own, { behave: { expires_in: 50 } });
    pass(30_000);
    const before = refreshesOf(own.standIn).length;
    own.standIn.down();
    expect((await ada.token()).status).toBe(200);
    own.standIn.down(false);
    expect((await ada.token()).status).toBe(200);
    expect(refreshesOf(own.standIn)).toHaveLength(before + 1);
  });
});

describe('409 provider_sign_in_required', () => {
  test('for an expired token without a refresh token', async () => {
    const ada = await signedInThere(world, github, over);
    expectProblem(await ada.token(), 'provider_sign_in_required');
  });

  test.each([
    ['invalid_grant', own],
    ['invalid_grant', gitlab],
    ['bad_refresh_token', own],
    ['invalid_refresh_token', own],
    ['token_revoked', own],
    ['interaction_required', own],
    ['consent_required', own],
  ])(
    'where the provider answers %s: the token is deleted, and a new sign-in restores access',
    async (refresh, ours) => {
      const ada = await signedInThere(world, ours, over);
      ours.standIn.behave({ refresh });
      expectProblem(await ada.token(), 'provider_sign_in_required');
      expect(await ada.kept()).toBeUndefined();
      const before = refreshesOf(ours.standIn).length;
      expectProblem(await ada.token(), 'provider_sign_in_required');
      expect(refreshesOf(ours.standIn)).toHaveLength(before);
      await signedInThere(world, ours, { somebody: ada.somebody });
      expect((await ada.token()).status).toBe(200);
    },
  );

  test('for a user who linked the account before the project kept tokens', async () => {
    const { project_id, standIn } = google;
    const sign_in_providers = (keep_tokens: boolean) => ({
      ...{ action: 'update', project_id },
      sign_in_providers: { google: { ...standIn.settings, keep_tokens } },
    });
    await world.operate(sign_in_providers(false));
    pass(61_000);
    const ada = await signedInThere(world, google);
    expect((await ada.token()).body.detail).toBe('The project keeps no tokens of this provider');
    await world.operate(sign_in_providers(true));
    vi.setSystemTime(Date.now() + 61_000);
    expectProblem(await ada.token(), 'provider_sign_in_required');
  });

  test('half a year after the last sign-in or refresh', async () => {
    const ada = await signedInThere(world, github);
    const until = Math.floor(Date.now() / 1_000) + 180 * 86_400;
    expect(Number((await ada.kept())?.['expires_at']) - until).toBeLessThanOrEqual(1);
    const exported = async () => {
      const { uid } = ada;
      return (await world.as(github.project).users.export({ uid })).body.identities[0];
    };
    vi.useFakeTimers({ toFake: ['Date'], now: (until - 60) * 1_000 });
    expect((await ada.byBackend()).status).toBe(200);
    expect(await exported()).toMatchObject({ tokens_kept: true });
    vi.setSystemTime((until + 2) * 1_000);
    // DynamoDB deletes it only later.
    expectProblem(await ada.byBackend(), 'provider_sign_in_required');
    expect(await exported()).not.toHaveProperty('tokens_kept');
  });
});

describe('503 temporarily_unavailable', () => {
  test.each([
    ['does not answer', () => own.standIn.down()],
    ['fails', () => own.standIn.behave({ token: 500 })],
    [
      'does not know the client secret any more',
      () => own.standIn.behave({ refresh: 'invalid_client' }),
    ],
  ])('where the provider %s, and 200 once it is back', async (_, breaks) => {
    const ada = await signedInThere(world, own, over);
    breaks();
    expectProblem(await ada.token(), 'temporarily_unavailable');
    expect((await ada.kept())?.['refreshing_until']).toBeUndefined();
    own.standIn.behave();
    own.standIn.down(false);
    expect((await ada.token()).status).toBe(200);
  });
});

test('404 for a provider that the caller has not linked or that the project does not have', async () => {
  const ada = await signedInThere(world, google);
  for (const name of [own.name, 'constructor', github.name])
    expectProblem(await world.as(ada).identities.getToken({ provider: name }), 'not_found');
});

test('429 after 30 refreshes in ten minutes, failed or not; a valid token is still returned', async () => {
  const ada = await signedInThere(world, own, over);
  vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / 600_000) * 600_000 });
  own.standIn.behave({ token: 503 });
  for (let n = 0; n < 30; n += 1) expect((await ada.token()).status).toBe(503);
  own.standIn.behave();
  const before = own.standIn.calls.length;
  const refused = await ada.token();
  expectProblem(refused, 'too_many_requests');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500);
  expect(own.standIn.calls).toHaveLength(before);
  expect((await ada.kept())?.['refreshing_until']).toBeUndefined();
  const grace = await signedInThere(world, own);
  expect((await grace.token()).status).toBe(200);
});

test('403 for a session in which an actor acts as the user', async () => {
  const ada = await signedInThere(world, google);
  const actor = { id: 'support-7', reason: 'Ticket 4711' };
  const acting = await world.as(google.project).sessions.create({ uid: ada.uid, actor });
  expectProblem(await ada.token(`Bearer ${acting.body.access_token}`), 'forbidden');
});

test('403 for a session of an OAuth client, even if the user has a token', async () => {
  const { standIn } = google;
  const scene = await oauthScene(world, {
    sign_in_providers: { google: { ...standIn.settings, keep_tokens: true } },
    return_urls: [returnUrl],
  });
  await setSecret(world, scene, standIn);
  const ada = await scene.visitor();
  standIn.is(personAt('google'));
  const { code, code_verifier } = await goThrough(world, scene, 'google');
  const { identities } = world.as(ada);
  await identities.link({ provider: 'google', code, code_verifier });
  expect((await identities.getToken({ provider: 'google' })).status).toBe(200);
  const { access_token } = await scene.tokens(ada);
  const ofClient = world.as(`Bearer ${access_token}`).identities;
  expectProblem(await ofClient.getToken({ provider: 'google' }), 'forbidden', {
    detail: 'Only a session of the user may do this, not one that an OAuth client has started',
  });
});
