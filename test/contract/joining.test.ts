import { describe, expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { limits } from '#shared/model/limits.ts';
import type { Answer } from '../support/call.ts';
import { expectProblem, expectSame, unknownId } from '../support/expectations.ts';
import { signInProject } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';
import { routeCaller } from './calls.ts';
import { sampleOf } from './samples.ts';

const world = await startWorld();
const call = routeCaller(world);
const home = await signInProject(world);
const abroad = await signInProject(world);
const ways = routes.filter(({ auth, body }) => auth.length === 0 && body?.shape['project_id']);

test('the test covers every public route with a body', () => {
  // The forms of OAuth name a client.
  const open = routes.filter(({ auth, accepts }) => auth.length === 0 && accepts !== 'form');
  expect(ways).toEqual(open.filter(({ body }) => body));
});

describe.each(ways)('$name', (route) => {
  const { body } = sampleOf(route);
  const known = (email: string) => (route.body?.shape['email'] ? { email } : {});

  test('an unknown project gets 404, and nothing is written', async () => {
    const before = await world.table.all();
    const [one, other] = [
      await call(route, { body: { ...body, project_id: 'nobody' } }),
      await call(route, { body: { ...body, project_id: `${home.project_id}x` } }),
    ];
    expectProblem(one, 'not_found');
    expectSame(one, other);
    expect(await world.table.all()).toEqual(before);
  });

  test('a project that does not offer the method gets 403, for any e-mail', async () => {
    const { email } = await world.user();
    const { project_id } = world.project;
    const mailed = await world.table.having('sk', 'MAIL');
    const [one, other] = [
      await call(route, { body: { ...body, ...known(email), project_id } }),
      await call(route, { body: { ...body, ...known('nobody@example.com'), project_id } }),
    ];
    expectProblem(one, 'sign_in_method_disabled');
    expectSame(one, other);
    expect(await world.table.having('sk', 'MAIL')).toEqual(mailed);
  });
});

test.each(ways.filter(({ statuses: [status] }) => status === 202))(
  '$name gives the same 202 for a known, an unknown and a differently written e-mail',
  async (route) => {
    const there = await signInProject(world);
    await world.user({ project: there.project, email: 'ada@example.com', verified: true });
    const answers: Answer[] = [];
    for (const email of ['ada@example.com', 'ADA@example.com', 'nobody@example.com'])
      answers.push(
        await call(route, {
          body: { ...sampleOf(route).body, project_id: there.project_id, email },
        }),
      );
    const [one, ...others] = answers.map(({ status, headers, body: { expires_in, ...rest } }) => ({
      status,
      expires_in,
      // The other fields, which are equally long and random for all of them.
      fields: Object.keys(rest),
      headers: [...headers].map(([name, value]) => [name, value.length]),
    }));
    expect(one).toMatchObject({ status: 202, expires_in: expect.any(Number) });
    for (const other of others) expect(other).toEqual(one);
  },
);

describe('a mailed credential does not work in another project, and is not used up there', () => {
  test('a code', async () => {
    const { challenge_id, code } = await home.code('code@example.com');
    const verify = (at: typeof home, id: string) =>
      at.post('/sessions/code', { challenge_id: id, code });
    const unknown = await verify(abroad, unknownId);
    expectProblem(unknown, 'invalid_credentials');
    for (let i = 0; i <= limits.codeTries; i += 1)
      expectSame(await verify(abroad, challenge_id), unknown);
    expect((await verify(home, challenge_id)).status).toBe(201);
  });
});
