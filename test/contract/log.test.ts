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
/** Secrets of users, in every field that accepts one. */
const typed = {
  password: `${canary} password`,
  current_password: `${canary} current`,
  new_password: `${canary} the next`,
  token: canary.padEnd(43, '-'),
  code: '271828',
  id_token: `${canary}.${canary}.${canary}`,
  nonce: canary,
};

beforeAll(async () => {
  vi.stubEnv('LOG_LEVEL', 'info');
  const { project_id } = world.project;
  const google = { issuer: world.url, jwks_uri: `${world.url}/jwks`, client_ids: [canary] };
  const ways = { password_sign_in: true, code_sign_in: true, sign_up: true };
  const identity_providers = { google };
  // The URI of the example: an unregistered one is rejected after the project is known.
  const return_urls = ['com.example.app:/signed-in'];
  await world.operate({
    ...{ action: 'update', project_id, ...ways, identity_providers, return_urls },
  });
  await makePerson();
});
beforeEach(async () => {
  // Some routes end the session, and one deletes the user.
  await world.session(person.uid).then((again) => (person = again), makePerson);
  stderr.mockClear();
});
async function makePerson(): Promise<void> {
  person = await world.user({
    email: `${canary}@example.com`,
    verified: true,
    display_name: canary,
    about_me: canary,
  });
  ({ workspace_id } = await world.workspace({ owner: person, name: canary, description: canary }));
}
const written = () => stderr.mock.calls.map(([line]) => String(line));
const lines = () => written().map((line) => JSON.parse(line));

/** Everything that a log must never contain. */
function secrets(): string[] {
  const { access_token, refresh_token, bearer, project } = person;
  const basic = project.basic.split(' ')[1] ?? '';
  const signature = access_token.split('.')[2] ?? '';
  return [
    canary,
    '@',
    typed.code,
    access_token,
    signature,
    refresh_token,
    bearer,
    project.secret,
    basic,
  ];
}

test.each(routes)(
  '$name: writes one log line per request, without a secret or an e-mail',
  async (route) => {
    const auth = credentialFor(route, world, person);
    const sample = sampleOf(route);
    const ids = {
      uid: person.uid,
      user_id: person.uid,
      owner_id: person.uid,
      workspace_id,
      project_id: world.project.project_id,
      provider: 'google',
      accessToken: person.access_token,
      ...typed,
    };
    const fill = (fields: object, names: string[]) => ({
      ...fields,
      ...Object.fromEntries(Object.entries(ids).filter(([name]) => names.includes(name))),
    });
    const params = fill(sample.params, Object.keys(sample.params)) as Record<string, string>;
    const query = fill(sample.query, Object.keys(sample.query)) as Record<string, string>;
    const body = sample.body && fill(sample.body, Object.keys(route.body?.shape ?? {}));
    const answers = [
      await call(route, { auth, params, query, body }),
      await call(route, {
        auth,
        params,
        body: body && { ...body, email: `${canary}@example.com` },
      }),
      await call(route, { auth, params, ...(body && { raw: `{"${canary}` }) }),
      await call(route, {
        auth,
        params,
        body,
        ...(route.query && { query: { [canary]: canary } }),
      }),
      await call(route, { auth: `Bearer ${canary}`, body }),
      await call(route, {
        auth: `Basic ${Buffer.from(`${canary}:${canary}`).toString('base64')}`,
        body,
      }),
    ];
    expect(lines()).toEqual(
      answers.map(({ status, headers, body: { code, refresh_token } }, i) => ({
        level: 'info',
        operation: route.name,
        request_id: headers.get('x-request-id'),
        status,
        duration_ms: expect.any(Number),
        // The reason for the rejection, only for the operator.
        ...(status >= 400 && { code, reason: expect.stringMatching(/./) }),
        // The caller, once known; only the refresh itself reads a refresh token.
        ...((i < 4 || (i === 4 && route.auth.includes('refresh'))) && who(route)),
        // The session's user, once it has started or its tokens are read: an operator must find out whom a theft
        // concerns.
        ...((refresh_token !== undefined || isRead(route, i)) && subject()),
        // Or the project that the access token names, valid or not, beside a refresh token that is none.
        ...(route.name === 'sessions.refresh' &&
          i === 4 && { project_id: world.project.project_id }),
        // The project, once the body is read.
        ...(route.auth.length === 0 &&
          body?.['project_id'] !== undefined &&
          code !== 'invalid_request' && { project_id: world.project.project_id }),
        // Or from the query: that of the first call, otherwise that of the example.
        ...(route.query?.shape['project_id'] !== undefined &&
          code !== 'invalid_request' && {
            project_id: (i === 0 ? query : sample.query)['project_id'],
          }),
      })),
    );
    for (const { body: answer } of answers) expect(answer).not.toHaveProperty('reason');
    for (const secret of secrets()) expect(written().join('')).not.toContain(secret);
  },
);

test('a path that no route has is logged as the fallback', async () => {
  await world.call('GET', `/${canary}`, person.bearer);
  expect(lines()).toMatchObject([
    { operation: 'fallback.notFound', status: 404, code: 'not_found', reason: 'no such path' },
  ]);
  expect(written().join('')).not.toContain(canary);
});

test('LOG_LEVEL=silent writes nothing', async () => {
  vi.stubEnv('LOG_LEVEL', 'silent');
  await world.call('GET', '/users/me', person.bearer);
  expect(written()).toEqual([]);
});

/** Whether the call's tokens are verified, not only their format. */
const isRead = ({ name }: { name: string }, i: number) =>
  name === 'sessions.refresh' && [0, 3].includes(i);

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

test('a replayed response is logged as such, without its key', async () => {
  vi.stubEnv('LOG_LEVEL', 'info');
  const headers = { 'idempotency-key': canary.padEnd(16, 'x') };
  const body = { email: 'again@example.com' };
  for (let i = 0; i < 2; i += 1)
    await world.call('POST', '/users', world.project.basic, body, { headers });
  const [first, second] = lines();
  expect(first).not.toHaveProperty('replayed');
  expect(second).toMatchObject({ operation: 'users.create', status: 201, replayed: true });
  expect(written().join('')).not.toContain(canary);
});
