import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { describe, expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { secretNames } from '../../local/environment.ts';
import { expectProblem } from '../support/expectations.ts';
import {
  type Keeping,
  keepingProject,
  refreshesOf,
  signedInThere,
} from '../support/kept-tokens.ts';
import { goThrough, personAt, setSecret } from '../support/providers.ts';
import { startWorld } from '../support/world.ts';

/** Attacks on stored provider tokens: by reading or writing the table, and by exceeding a permission. */
const world = await startWorld();
const [ours, theirs] = await Promise.all([
  keepingProject(world, 'oidc'),
  keepingProject(world, 'oidc'),
]);
const evil = await keepingProject(world, 'oidc');
const manager = new SecretsManagerClient();
const expired = { behave: { expires_in: 0 } };

describe('a table that an attacker reads or writes', () => {
  test('contains no provider token in plain text, before or after the sign-in', async () => {
    ours.standIn.is(personAt('oidc'));
    const { code } = await goThrough(world, ours, ours.name);
    const item = await world.table.get(keys.providerCode(code));
    const ada = await signedInThere(world, ours);
    const link = await ada.kept();
    const given = (await ada.token()).body.access_token as string;
    for (const stored of [item, link]) {
      expect(stored?.['sealed_access']).toBeInstanceOf(Uint8Array);
      expect(stored?.['sealed_refresh']).toBeInstanceOf(Uint8Array);
      const bytes = Buffer.concat([
        Buffer.from(stored?.['sealed_access'] as Uint8Array),
        Buffer.from(stored?.['sealed_refresh'] as Uint8Array),
      ]).toString('latin1');
      expect(bytes).not.toMatch(/token-of|refresh-/);
    }
    expect(JSON.stringify(await world.table.all())).not.toContain(given);
  });

  /** A user whose token item has these attributes of another user's. */
  const moved = async (...names: string[]) => {
    const ada = await signedInThere(world, ours);
    const eve = await signedInThere(world, ours, expired);
    const kept = (await ada.kept()) ?? {};
    await world.table.update(eve.at, Object.fromEntries(names.map((name) => [name, kept[name]])));
    return eve;
  };

  test('with the tokens of another user copied into an item does not return them', async () => {
    const eve = await moved('sealed_access', 'sealed_refresh');
    expectProblem(await eve.token(), 'provider_sign_in_required');
    expect(refreshesOf(ours.standIn)).toEqual([]);
  });

  test('with the refresh token of another user copied into an item does not refresh with it', async () => {
    const eve = await moved('sealed_refresh');
    expectProblem(await eve.token(), 'provider_sign_in_required');
    expect(refreshesOf(ours.standIn)).toEqual([]);
  });

  test('with a refresh token or a changed token in place of the access token does not return it', async () => {
    const ada = await signedInThere(world, ours);
    const { sealed_refresh, sealed_access } = (await ada.kept()) ?? {};
    await world.table.update(ada.at, { sealed_access: sealed_refresh });
    const changed = Buffer.from(sealed_access as Uint8Array);
    changed[changed.length - 1]! ^= 1;
    for (const sealed of [sealed_refresh, changed, changed.subarray(0, 20), Buffer.alloc(0)]) {
      await world.table.update(ada.at, { sealed_access: sealed, sealed_refresh: sealed_access });
      expectProblem(await ada.token(), 'provider_sign_in_required');
    }
  });

  test('with the tokens of the same account in another project copied into an item does not return them', async () => {
    const somebody = personAt('oidc');
    const shared = { ...theirs, standIn: ours.standIn, name: ours.name };
    const settings = { [ours.name]: { ...ours.standIn.settings, keep_tokens: true } };
    const { project_id } = theirs;
    await world.operate({ action: 'update', project_id, sign_in_providers: settings });
    await setSecret(world, theirs, ours.standIn);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    const here = await signedInThere(world, ours, { somebody });
    const there = await signedInThere(world, shared, { somebody });
    expect((await there.token()).status).toBe(200);
    const { sealed_access, sealed_refresh } = (await here.kept()) ?? {};
    await world.table.update(there.at, { sealed_access, sealed_refresh });
    expectProblem(await there.token(), 'provider_sign_in_required');
  });
});

describe('an attacker who can change only the settings', () => {
  const change = async ({ project_id, name }: Keeping, provider: object) => {
    const sign_in_providers = { [name]: provider };
    await world.operate({ action: 'update', project_id, sign_in_providers });
    vi.setSystemTime(Date.now() + 61_000);
  };

  test('cannot send the client secret or a token to another issuer', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const at = await keepingProject(world, 'oidc');
    const ada = await signedInThere(world, at, expired);
    const before = evil.standIn.calls.length;
    const { settings } = at.standIn;
    // The same client, at an issuer of the attacker.
    await change(at, { ...settings, issuer: evil.standIn.issuer, keep_tokens: true });
    evil.standIn.is(personAt('oidc'));
    const { given } = await goThrough(world, at, at.name);
    expect(given['error']).toBe('temporarily_unavailable');
    expectProblem(await ada.byBackend(), 'provider_sign_in_required');
    expect(evil.standIn.calls).toHaveLength(before);
    // Another client at the same issuer.
    await change(at, { ...settings, client_id: 'another', keep_tokens: true });
    expectProblem(await ada.byBackend(), 'provider_sign_in_required');
    expect((await goThrough(world, at, at.name)).given['error']).toBe('temporarily_unavailable');
    await change(at, { ...settings, keep_tokens: true });
    expect((await ada.byBackend()).status).toBe(200);
  });

  test('can stop the service from returning tokens, and the stored tokens return with the setting until they expire', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const at = await keepingProject(world, 'oidc');
    const ada = await signedInThere(world, at);
    const { settings } = at.standIn;
    await change(at, settings);
    expectProblem(await ada.byBackend(), 'not_found', {
      detail: 'The project keeps no tokens of this provider',
    });
    const kept = await ada.kept();
    expect(kept?.['expires_at']).toBeGreaterThan(Date.now() / 1_000);
    await signedInThere(world, at, { somebody: ada.somebody });
    expect(await ada.kept()).toEqual(kept);
    await change(at, { ...settings, keep_tokens: true });
    expect((await ada.byBackend()).status).toBe(200);
  });
});

test('a new first key encrypts new tokens and the old key decrypts stored ones; without it, users sign in again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const later = () => vi.setSystemTime(Date.now() + 301_000);
  const before = await signedInThere(world, evil);
  const at = { SecretId: secretNames.providerToken };
  const { SecretString: old } = await manager.send(new GetSecretValueCommand(at));
  const put = (SecretString: string) =>
    manager.send(new PutSecretValueCommand({ ...at, SecretString }));
  const next = 'n'.repeat(64);
  await put(`${old}\n${next}`);
  later();
  const between = await signedInThere(world, evil);
  await put(`${next}\n${old}`);
  later();
  expect((await between.byBackend()).status).toBe(200);
  expect((await before.byBackend()).status).toBe(200);
  const after = await signedInThere(world, evil);
  await put(next);
  later();
  expectProblem(await before.byBackend(), 'provider_sign_in_required');
  expect((await after.byBackend()).status).toBe(200);
  await put(`${old}`);
  later();
  expect((await before.byBackend()).status).toBe(200);
});
