import { beforeEach, expect, test, vi } from 'vitest';
import { type Call, lateCall, resetAfter } from '../faults/fault.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { keepingProject, refreshesOf, signedInThere } from '../support/kept-tokens.ts';

// The provider rotates refresh tokens, and treats reuse of an old one as theft.
const { faults, world } = await startFaultyWorld();
const ours = await keepingProject(world, 'oidc');
const { standIn } = ours;
const google = await keepingProject(world, 'google');
beforeEach(() => {
  standIn.behave();
  google.standIn.behave();
});
const expired = (at = ours) => signedInThere(world, at, { behave: { expires_in: 0 } });
const statusOf = ({ status }: { status: number }) => status;

test('one of 40 concurrent requests refreshes the token, and all get the new token', async () => {
  const ada = await expired();
  const before = refreshesOf(standIn).length;
  const answers = await Promise.all(Array.from({ length: 40 }, () => ada.token()));
  expect(answers.map(statusOf)).toEqual(Array(40).fill(200));
  expect(new Set(answers.map(({ body }) => body.access_token)).size).toBe(1);
  expect(refreshesOf(standIn)).toHaveLength(before + 1);
});

/** A request that waits for the provider's response, with or without an error. */
async function waiting(at = ours) {
  const ada = await expired(at);
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  at.standIn.behave({ refresh: promise });
  const asked = refreshesOf(at.standIn).length;
  const reading = ada.token();
  await vi.waitFor(() => expect(refreshesOf(at.standIn)).toHaveLength(asked + 1));
  return { ada, reading, answer: resolve };
}

test.each([[undefined], ['invalid_grant'], ['server_error']])(
  'unlinked while the provider responds %s: no token is stored or returned',
  async (error) => {
    const { ada, reading, answer } = await waiting();
    const path = `/users/me/identities/${ours.name}`;
    expect((await world.call({ method: 'DELETE', path, auth: ada.bearer, body: {} })).status).toBe(
      200,
    );
    answer(error);
    expect((await reading).status).toBe(404);
    expect(await ada.kept()).toBeUndefined();
  },
);

test.each([[undefined], ['invalid_grant'], ['server_error']])(
  'signed in again while the provider responds %s: the newer tokens stay, and are returned',
  async (error) => {
    const { ada, reading, answer } = await waiting();
    const anew = await signedInThere(world, ours, { somebody: ada.somebody });
    const sealed = (await ada.kept())?.['sealed_access'];
    answer(error);
    const { status, body } = await reading;
    expect([status, body.access_token]).toEqual([200, (await anew.token()).body.access_token]);
    expect((await ada.kept())?.['sealed_access']).toEqual(sealed);
  },
);

test('signed in again without a refresh token while the provider refuses the old one: the new token stays', async () => {
  const { ada, reading, answer } = await waiting(google);
  const query = { prompt: 'select_account' };
  const anew = await signedInThere(world, google, { somebody: ada.somebody, query });
  const given = (await anew.token()).body.access_token;
  answer('invalid_grant');
  const { status, body } = await reading;
  expect([status, body.access_token]).toEqual([200, given]);
  expect((await anew.token()).body.access_token).toBe(given);
});

test('a process that dies during its refresh blocks others only until its claim expires', async () => {
  const ada = await expired();
  const until = Math.floor(Date.now() / 1_000) + 15;
  await world.table.update(ada.at, { refreshing_until: until });
  vi.useFakeTimers({ toFake: ['Date'], now: (until + 1) * 1_000 });
  expect((await ada.token()).status).toBe(200);
  expect((await ada.kept())?.['refreshing_until']).toBeUndefined();
});

test('a lost response to the write of the new token causes no second refresh', async () => {
  const ada = await expired();
  const before = refreshesOf(standIn).length;
  const when = ({ operation, text }: Call) =>
    operation === 'UpdateItem' && text.includes('sealed_access');
  faults.inject(resetAfter, { when });
  expect((await ada.token()).status).toBe(200);
  expect(refreshesOf(standIn)).toHaveLength(before + 1);
});

test('a claim that arrives after its refresh blocks no request', async () => {
  const ada = await expired(google);
  const when = ({ operation, text }: Call) =>
    operation === 'UpdateItem' && text.includes('SET #refreshing_until');
  faults.inject(lateCall, { when });
  expect((await ada.token()).status).toBe(200);
  await faults.quiet();
  expect((await ada.kept())?.['refreshing_until']).toBeUndefined();
});
