import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { type Person, startWorld } from '../support/world.ts';
import { credentialFor, routeCaller } from './calls.ts';
import { sampleOf } from './samples.ts';

const world = await startWorld();
const call = routeCaller(world);
const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
const canary = 'canary-5f1e';
let person: Person;
let workspace_id: string;

beforeAll(async () => {
  process.env['LOG_LEVEL'] = 'info';
  person = await world.user({
    email: `${canary}@example.com`,
    verified: true,
    display_name: canary,
    about_me: canary,
  });
  ({ workspace_id } = await world.workspace({ owner: person, name: canary, description: canary }));
});
beforeEach(() => stderr.mockClear());
const written = () => stderr.mock.calls.map(([line]) => String(line));
const lines = () => written().map((line) => JSON.parse(line));

/** Everything that a log must never hold. */
function secrets(): string[] {
  const { access_token, refresh_token, bearer, project } = person;
  const basic = project.basic.split(' ')[1] ?? '';
  const signature = access_token.split('.')[2] ?? '';
  return [canary, '@', access_token, signature, refresh_token, bearer, project.secret, basic];
}

test.each(routes)(
  '$name: one line a request, whatever comes of it, without a secret or an e-mail',
  async (route) => {
    const auth = credentialFor(route, world, person);
    const sample = sampleOf(route);
    const ids = {
      uid: person.uid,
      user_id: person.uid,
      owner_id: person.uid,
      workspace_id,
      accessToken: person.access_token,
    };
    const fill = (fields: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          name,
          ids[name as keyof typeof ids] ?? value,
        ]),
      );
    const params = fill(sample.params) as Record<string, string>;
    const body = sample.body && fill(sample.body);
    const answers = [
      await call(route, { auth, params, body }),
      await call(route, {
        auth,
        params,
        body: body && { ...body, email: `${canary}@example.com` },
      }),
      await call(route, { auth, params, ...(body && { raw: `{"${canary}` }) }),
      await call(route, { auth, params, ...(route.query && { query: { [canary]: canary } }) }),
      await call(route, { auth: `Bearer ${canary}` }),
      await call(route, { auth: `Basic ${Buffer.from(`${canary}:${canary}`).toString('base64')}` }),
    ];
    expect(lines()).toEqual(
      answers.map(({ status, headers, body: { code } }, i) => ({
        level: 'info',
        operation: route.name,
        request_id: headers.get('x-request-id'),
        status,
        duration_ms: expect.any(Number),
        ...(status >= 400 && { code }),
        // Who called, once it is known; a refresh token is read by the refresh itself alone.
        ...((i < 4 || (i === 4 && route.name === 'sessions.refresh')) && who(route)),
        // Whose session it is, once the tokens are read: an operator must find out whom a theft concerns.
        ...(i === 0 && route.name === 'sessions.refresh' && subject()),
      })),
    );
    for (const secret of secrets()) expect(written().join('')).not.toContain(secret);
  },
);

test('a path that no route has is logged as the fallback', async () => {
  await world.call('GET', `/${canary}`, person.bearer);
  expect(lines()).toMatchObject([{ operation: 'fallback.answer', status: 404, code: 'not_found' }]);
  expect(written().join('')).not.toContain(canary);
});

test('silent is silent', async () => {
  process.env['LOG_LEVEL'] = 'silent';
  await world.call('GET', '/users/me', person.bearer);
  expect(written()).toEqual([]);
});

function subject() {
  const { project_id } = world.project;
  return { uid: person.uid, session_id: expect.stringMatching(/^[\da-f-]{36}$/), project_id };
}

function who({ auth: [scheme] }: (typeof routes)[number]) {
  const { project_id } = world.project;
  if (scheme === 'project') return { caller: 'project', project_id };
  if (scheme === 'access') return { caller: 'person', project_id, uid: person.uid };
  return scheme && { caller: 'refresh' };
}
