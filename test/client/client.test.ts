import { describe, expect, test } from 'vitest';
import { ApiError, basic, bearer, createClient } from '../../client/client.ts';
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
