import { describe, expect, test } from 'vitest';
import { ApiError, basic, bearer, createClient } from '../../client/client.ts';
import { serve } from '../support/serve.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';

const world = await startWorld();
const { project_id, secret } = world.project;
const client = createClient(world.url, basic(project_id, secret));

describe('the client', () => {
  test('calls every kind of route by name', async () => {
    const created = await client.users.create({ email: 'ada@example.com' });
    const { uid } = created.body;
    const { body: session } = await client.sessions.create({ uid });
    const authorization = bearer(session.access_token);
    const { body: workspace } = await client.workspaces.create({ name: 'Acme', owner_id: uid });
    const { workspace_id } = workspace;
    const members = await client.members.list({ workspace_id, status: 'accepted', limit: 1 });
    const joined = await client.workspaces.listJoined({}, { authorization });
    expect({
      created: created.status,
      me: (await client.users.getMe({}, { authorization })).body.uid,
      members: members.body.result.map((member) => member.uid),
      joined: joined.body,
    }).toEqual({ created: 201, me: uid, members: [uid], joined: [workspace] });
  });

  test('signs users in and out, without a credential of its own', async () => {
    const { project_id: home, mailed } = await signInProject(world);
    const anyone = createClient(world.url);
    const who = { project_id: home, email: 'grace@example.com' };
    const requested = await anyone.passwords.signUp(who);
    const created = await anyone.passwords.set({
      project_id: home,
      token: await mailed(who.email),
      password: goodPassword,
      agreed_terms: { tos: true },
    });
    const { body: session } = await anyone.passwords.signIn({ ...who, password: goodPassword });
    const { body: started } = await anyone.codes.start(who);
    const { challenge_id } = started;
    const code = await mailed(who.email);
    await anyone.codes.verify({ project_id: home, challenge_id, code });
    const grace = createClient(world.url, bearer(session.access_token));
    const { result } = (await grace.sessions.list({})).body;
    const [newest] = result;
    const one = await grace.sessions.end({ session_id: newest?.session_id ?? '' });
    const others = await grace.sessions.endAll({});
    const out = await grace.sessions.signOut({});
    const after = await grace.users.getMe({}).catch((error: unknown) => error);
    expect({
      asked: requested.status,
      made: [created.status, created.body.user_created],
      methods: result.map(({ method, current }) => [method, current]),
      ended: [one.body.session_id, others.body.ended, out.status],
    }).toEqual({
      asked: 202,
      made: [201, true],
      methods: [
        ['email_code', false],
        ['idpw', true],
        ['idpw', false],
      ],
      ended: [newest?.session_id, 1, 200],
    });
    expect(after).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  test('sends no credential to a public route', async () => {
    const seen: unknown[] = [];
    const url = await serve(({ headers }, response) => {
      seen.push(headers.authorization);
      response.setHeader('content-type', 'application/json').end('{}');
    });
    const backend = createClient(url, basic(project_id, secret));
    await backend.passwords.signIn({ project_id, email: 'ada@example.com', password: 'x' });
    await backend.users.getMe({});
    expect(seen).toEqual([undefined, basic(project_id, secret)]);
  });

  test('changes the version whose tag a proxy has made weak, and no other', async () => {
    const { uid } = (await client.users.create({ email: 'mary@example.com' })).body;
    const { headers } = await client.users.getMetadata({ uid });
    const ifMatch = `W/${headers.get('etag')}`;
    const set = (plan: string) =>
      client.users.setMetadata({ uid, app_metadata: { plan } }, { ifMatch });
    expect((await set('team')).status).toBe(200);
    await expect(set('solo')).rejects.toMatchObject({ code: 'precondition_failed' });
  });

  test('throws an error with its code and every wrong field', async () => {
    const failure = await client.users.create({ email: 'nobody' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors: [{ pointer: '/body/email', detail: expect.any(String) }],
      requestId: expect.stringMatching(/./),
    });
  });
});
