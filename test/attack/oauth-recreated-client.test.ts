import { expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { byTokenAlone } from '#shared/identity/sessions/renewable.ts';
import { limits } from '#shared/model/limits.ts';
import { expectProblem } from '../support/expectations.ts';
import { prolongCode } from '../support/limits.ts';
import { oauthScene } from '../support/oauth.ts';
import { pass, sessionIdOf } from '../support/started.ts';
import { startWorld } from '../support/world.ts';

/**
 * Attacks with codes and tokens of a client that was deleted and created again with the same id, perhaps because it was
 * compromised. An instance caches a client for a minute.
 */

const world = await startWorld();
const second = 1_000;
/** A project whose old `web` client this instance has cached, and a code of that client. */
const recreated = async (confidential = false) => {
  const own = await oauthScene(world);
  const person = await own.visitor();
  const old = await own.code(person);
  pass(second);
  const { secrets } = confidential ? own.server : own.web;
  const again = { ...own.web, created_at: new Date().toISOString(), secrets };
  const replace = () => own.set({ oauth_clients: [own.native, own.server, again] });
  return { ...own, person, old, again, replace };
};

test('a code of the deleted client is not redeemed once the instance knows the new client', async () => {
  const { old, replace, token: redeem } = await recreated();
  await replace();
  await prolongCode(world, old.code);
  pass(61 * second);
  const { status, body } = await redeem(old);
  expect([status, body.error]).toEqual([400, 'invalid_grant']);
});

test.each([
  ['public', false],
  ['confidential', true],
])(
  'ends a session of a %s client that an instance with the deleted client in its cache has started',
  async (_, confidential) => {
    const { old, again, replace, ...own } = await recreated(confidential);
    await replace();
    const { status, body } = await own.token(old);
    expect(status).toBe(200);
    pass(61 * second);
    const { refresh_token, access_token: accessToken } = body;
    const alone = world.as(`Bearer ${refresh_token}`).sessions;
    expectProblem(await alone.refresh({ accessToken }), 'unauthenticated');
    const auth = confidential ? own.basicOf(again) : undefined;
    const renewed = await own.refresh(again, refresh_token, auth);
    expect([renewed.status, renewed.body.error]).toEqual([400, 'invalid_grant']);
  },
);

test('the new client redeems and renews at once, even at an instance that still knows the deleted client', async () => {
  const { old, again, replace, person, ...own } = await recreated();
  await replace();
  // As issued by an instance that has read the project since.
  const of = { client_created_at: again.created_at };
  await world.table.update(keys.authorizationCode(old.code), of);
  pass(2 * second);
  const { status, body } = await own.token(old);
  expect(status).toBe(200);
  const session = await world.table.get(keys.session(person.uid, sessionIdOf(body)));
  expect(session).toMatchObject({ client_id: again.client_id, ...of });

  const client_created_at = new Date().toISOString();
  await own.set({ oauth_clients: [{ ...again, created_at: client_created_at }] });
  await world.table.update(keys.session(person.uid, sessionIdOf(body)), { client_created_at });
  pass(2 * second);
  expect((await own.refresh(again, body.refresh_token)).status).toBe(200);
});

test('codes and sessions of earlier releases, which lack the creation time of the client, stay valid', async () => {
  const own = await oauthScene(world);
  const person = await own.visitor();
  const presented = await own.code(person);
  const key = keys.authorizationCode(presented.code);
  const { client_created_at, ...before } = (await world.table.get(key)) ?? {};
  expect(client_created_at).toBe(own.web.created_at);
  await world.table.put(before);
  const { status, body } = await own.token(presented);
  expect(status).toBe(200);
  const session = await world.table.get(keys.session(person.uid, sessionIdOf(body)));
  expect(session).not.toHaveProperty('client_created_at');
  expect((await own.refresh(own.web, body.refresh_token)).status).toBe(200);
});

test('a project with the maximum number of clients can renew its sessions', async () => {
  const own = await oauthScene(world);
  const person = await own.visitor();
  const others = Array.from({ length: limits.oauthClientsPerProject - 1 }, (_, i) => ({
    ...own.web,
    client_id: `${own.project_id}.a${i}`,
  }));
  await own.set({ oauth_clients: [...others, own.web] });
  pass(61 * second);
  const { refresh_token, access_token: accessToken } = await own.tokens(person);
  const alone = world.as(`Bearer ${refresh_token}`).sessions;
  expect((await alone.refresh({ accessToken })).status).toBe(200);
  const { expression } = byTokenAlone([...others, own.web]).condition;
  // DynamoDB allows 4 KB; the rest of the condition takes a quarter.
  expect(expression.length).toBeLessThan(3 * 1_024);
});
