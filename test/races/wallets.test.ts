import { setTimeout as sleep } from 'node:timers/promises';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { developmentXpub } from '#shared/identity/wallet/development-wallet.ts';
import { deriveAddress } from '#shared/identity/wallet/wallet.ts';
import { doneAfter, lostAnswers, lostCalls, tooLong } from '../faults/fault.ts';
import { claimsOf } from '../model/tokens.ts';
import { expectProblem } from '../support/expectations.ts';
import { startFaultyEngine } from '../support/faults.ts';
import { newPerson, settingsOf, signInByIdentity } from '../support/identities.ts';
import { startOpenidProvider } from '../support/openid-provider.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';
import { times } from './many.ts';

const faults = await startFaultyEngine();
const world = await startWorld({ endpoint: faults.url });
const google = await startOpenidProvider();
afterAll(() => Promise.all([faults.close(), google.close()]));
beforeEach(() => faults.reset());
const { users, sessions, members, invitations } = world.as(world.project);

const otherXpub = HDKey.fromMasterSeed(
  mnemonicToSeedSync('test test test test test test test test test test test junk'),
).derive("m/44'/60'/1'").publicExtendedKey;
/** Configures the deployment with an extended public key, or with none. */
const configure = (xpub: string | undefined) => {
  if (xpub === undefined) delete process.env['WALLET_XPUB'];
  else process.env['WALLET_XPUB'] = xpub;
};
afterEach(() => configure(developmentXpub));

const none = { address: '', wallet: { address: '', type: '' } };
const walletOf = (uid: string, xpub = developmentXpub) => {
  const address = deriveAddress(xpub, uid);
  return { address, wallet: { address, type: 'service' } };
};
const stored = async (uid: string) => (await world.table.get(keys.user(uid))) ?? {};
/** A user with a session, from a time when the deployment had no extended public key. */
async function early(given: Parameters<typeof world.user>[0] = {}) {
  configure(undefined);
  const person = await world.user(given);
  configure(developmentXpub);
  return person;
}
/** Reads the user of an access token, as the backend. */
const read = async (bearer: string) =>
  (await users.get({ uid: String(claimsOf(bearer).sub) })).body;

test('without an extended public key, users have an empty wallet in every response', async () => {
  configure(undefined);
  const email = 'empty@example.com';
  const made = await users.create({ email });
  expect([made.status, made.body]).toMatchObject([201, none]);
  const { uid } = made.body;
  const { bearer, user } = await world.session(uid);
  expect(user).toMatchObject(none);
  const { workspace_id } = await world.workspace();
  await members.add({ workspace_id, user_id: uid, role: 'member' });
  for (const { body } of [
    await users.create({ email }),
    await users.get({ uid }),
    await world.as(bearer).users.getMe(),
    await world.as(bearer).users.update({ uid, display_name: 'Ada' }),
    await members.changeRole({ workspace_id, user_id: uid, role: 'admin' }),
  ])
    expect(body).toMatchObject(none);
  const search = await users.search({ uids: [uid] });
  const list = await members.list({ workspace_id, status: 'accepted' });
  for (const { body } of [search, list])
    for (const each of body.result) expect(each).toMatchObject(none);
  expect((await stored(uid))['wallet']).toEqual(none.wallet);
});

describe('a user without a wallet gets one once an extended public key is set,', () => {
  const at = async () => {
    const ours = await signInProject(world, {
      identity_providers: { google: settingsOf(google) },
    });
    configure(undefined);
    return { ours, post: ours.post };
  };
  type Shown = { uid: string; user?: object };
  const ways: Record<string, () => Promise<() => Promise<{ body: Shown }>>> = {
    'read by POST /users': async () => {
      const { email } = await early();
      return () => users.create({ email });
    },
    'read and verified by POST /users': async () => {
      const { email } = await early();
      return () => users.create({ email, email_verified: true });
    },
    'read by GET /users/{uid}': async () => {
      const { uid } = await early();
      return () => users.get({ uid });
    },
    'refreshing a session': async () => {
      const person = await early();
      return () => world.renew(person);
    },
    'signed in by the backend': async () => {
      const { uid } = await early();
      return () => sessions.create({ uid });
    },
    'signing in by password': async () => {
      const { ours, post } = await at();
      await ours.signUp('password@wallets.example');
      const body = { email: 'password@wallets.example', password: goodPassword };
      return () => post<Shown>('/sessions/password', body);
    },
    'setting a password': async () => {
      const { ours, post } = await at();
      const email = 'forgotten@wallets.example';
      await ours.signUp(email);
      await post('/passwords/forgotten', { email });
      const token = await ours.mailed(email);
      return () => post<Shown>('/passwords', { token, password: `${goodPassword} 2` });
    },
    'signing in by a code': async () => {
      const { ours, post } = await at();
      await ours.signInByCode('code@wallets.example');
      const proof = await ours.code('code@wallets.example');
      return () => post<Shown>('/sessions/code', proof);
    },
    'signing in by a code for the first time, invited before': async () => {
      const { ours, post } = await at();
      configure(developmentXpub);
      const owner = await world.user({ project: ours.project });
      const { workspace_id } = await world.workspace({ owner });
      const email = 'guest@wallets.example';
      const invite = { workspace_id, email, role: 'member' };
      const invited = await world.as(ours.project).invitations.create(invite);
      expect((await stored(invited.body.user_id))['wallet']).toEqual(none.wallet);
      const proof = await ours.code(email);
      return () => post<Shown>('/sessions/code', proof);
    },
    'signing in by an identity provider': async () => {
      const { ours } = await at();
      const person = newPerson({ email: 'google@gmail.com' });
      await signInByIdentity(ours, await google.idToken(person));
      const token = await google.idToken(person);
      return () => signInByIdentity(ours, token);
    },
    'signing in by an identity provider for the first time': async () => {
      const { ours } = await at();
      await ours.signInByCode('linked@gmail.com');
      const token = await google.idToken(newPerson({ email: 'linked@gmail.com' }));
      return () => signInByIdentity(ours, token);
    },
  };

  test.each(Object.keys(ways))('when %s, and it stays the same', async (way) => {
    const act = await (ways[way] as (typeof ways)[string])();
    configure(developmentXpub);
    const { body } = await act();
    const { uid, user = body } = body;
    expect(user).toMatchObject(walletOf(uid));
    expect((await stored(uid))['wallet']).toEqual(walletOf(uid).wallet);
    // Another key, or none, only applies to users without a wallet.
    for (const xpub of [otherXpub, undefined]) {
      configure(xpub);
      const again = await users.search({ uids: [uid] });
      for (const found of again.body.result) expect(found).toMatchObject(walletOf(uid));
      expect((await stored(uid))['wallet']).toEqual(walletOf(uid).wallet);
    }
  });
});

test('an address stays when the key changes or is removed, and the next user gets one of the new key', async () => {
  const person = await early();
  const shown = await read(person.bearer);
  expect(shown).toMatchObject(walletOf(person.uid));
  for (const xpub of [otherXpub, undefined]) {
    configure(xpub);
    expect(await read(person.bearer)).toEqual(shown);
  }
  configure(otherXpub);
  const next = { email: 'next@example.com' };
  const { uid, ...user } = (await users.create(next)).body;
  expect(user).toMatchObject(walletOf(uid, otherXpub));
});

test('the assignment costs one write, once, has no event, and changes only the version for If-Match', async () => {
  const { uid, bearer, user } = await early();
  const before = await stored(uid);
  configure(undefined);
  const { headers } = await users.get({ uid });
  configure(developmentXpub);
  const me = await read(bearer);
  expect(me).toEqual({ ...user, ...walletOf(uid), last_sign_in_at: expect.any(String) });
  const { events, event_count, modified_at } = await stored(uid);
  expect({ events, event_count, modified_at }).toEqual({
    events: before['events'],
    event_count: before['event_count'],
    modified_at: before['modified_at'],
  });
  const settled = await stored(uid);
  expect(settled['version']).toBe(Number(before['version']) + 1);
  faults.reset();
  await read(bearer);
  expect(faults.calls.map(({ operation }) => operation)).toEqual(['GetItem']);
  expect(await stored(uid)).toEqual(settled);
  const change = { uid, display_name: 'Ada' };
  const late = await users.update(change, { headers: { 'if-match': headers.get('etag') ?? '' } });
  expectProblem(late, 'precondition_failed');
});

test('the copies of a profile in memberships get the wallet too', async () => {
  const person = await early();
  const workspace = await world.workspace();
  configure(undefined);
  await world.member(workspace, 'member', person);
  configure(developmentXpub);
  await read(person.bearer);
  await world.drainStream();
  const { workspace_id } = workspace;
  const { body } = await members.list({ workspace_id, status: 'accepted' });
  const listed = body.result.find(({ uid }: { uid: string }) => uid === person.uid);
  expect(listed).toMatchObject(walletOf(person.uid));
});

test('an invitee has no wallet in the list of invitations until they sign in', async () => {
  const { workspace_id } = await world.workspace();
  const invite = { workspace_id, email: 'later@example.com', role: 'member' };
  const { body } = await invitations.create(invite);
  const pending = async () => (await members.list({ workspace_id, status: 'pending' })).body.result;
  expect(await pending()).toMatchObject([none]);
  await world.session(body.user_id);
  await world.drainStream();
  expect(await pending()).toMatchObject([walletOf(body.user_id)]);
});

describe('one of several concurrent assignments decides for all', () => {
  const writesWallet = ({ operation, body }: { operation: string; body: object }) =>
    operation === 'UpdateItem' && JSON.stringify(body).includes('"#wallet');

  test('with any number of readers', async () => {
    const { uid, bearer } = await early();
    const before = Number((await stored(uid))['version']);
    const answers = await times(30, () => read(bearer));
    for (const each of answers) expect(each).toMatchObject(walletOf(uid));
    expect((await stored(uid))['version']).toBe(before + 1);
  });

  test('even if a deployment with another key assigns in between', async () => {
    const { uid, bearer } = await early();
    faults.inject(
      doneAfter(async () => {
        configure(otherXpub);
        await read(bearer);
        configure(developmentXpub);
      }),
      { when: writesWallet },
    );
    expect(await read(bearer)).toMatchObject(walletOf(uid, otherXpub));
    expect((await stored(uid))['wallet']).toEqual(walletOf(uid, otherXpub).wallet);
  });

  test('and a user who is deleted in between stays deleted', async () => {
    const { uid, bearer } = await early();
    faults.inject(
      doneAfter(async () => {
        // As long as on a busy machine, where the next try comes meanwhile.
        await sleep(tooLong);
        await users.delete({ uid });
      }),
      { when: writesWallet },
    );
    expectProblem(await users.get({ uid }), 'not_found');
    expectProblem(await world.as(bearer).users.getMe(), 'unauthenticated');
    expect(await stored(uid)).not.toHaveProperty('wallet');
  });

  test.each(Object.entries({ ...lostCalls, ...lostAnswers }))(
    '%s: assigns the same address',
    async (_, fault) => {
      const { uid, bearer } = await early();
      const before = Number((await stored(uid))['version']);
      faults.inject(fault, { when: writesWallet });
      expect(await read(bearer)).toMatchObject(walletOf(uid));
      expect((await stored(uid))['version']).toBe(before + 1);
    },
  );
});

test('the development key gives no wallet at a public address', async () => {
  const { uid } = await early();
  const { BASE_URL } = process.env;
  process.env['BASE_URL'] = 'https://api.example.com';
  const answers = [await users.get({ uid }), await users.create({ email: 'public@example.com' })];
  process.env['BASE_URL'] = BASE_URL;
  for (const answer of answers) expect(answer.status).toBe(500);
  expect((await stored(uid))['wallet']).toEqual(none.wallet);
});
