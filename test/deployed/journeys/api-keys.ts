import { deepEqual, equal, ok } from 'node:assert/strict';
import { bearer, createClient } from '../../../client/client.ts';
import { eventually } from '../checks.ts';
import type { World } from '../world.ts';
import { fails } from './accounts.ts';
import type { Team } from './workspaces.ts';

/** API keys of a user and of a workspace, from the first request with them to the last. */
export async function apiKeys(world: World, { workspace_id, owner }: Team): Promise<void> {
  const { checks, backend } = world;
  const asKey = (key: string) =>
    createClient(world.url, { authorization: bearer(key), retries: 0 });
  await checks.check('an API key of a user acts as the user until it is revoked', async () => {
    const { apiKeys: own } = owner.client;
    const { key, key_id } = (await own.create({ name: 'CI' })).body;
    equal((await asKey(key).users.getMe({})).body.uid, owner.uid);
    equal((await own.update({ key_id, name: 'Nightly' })).body.name, 'Nightly');
    deepEqual(
      (await own.list({})).body.result.map((each) => each.key_id),
      [key_id],
    );
    const rotated = (await own.rotate({ key_id, overlap: 0 })).body;
    await fails(asKey(key).users.getMe({}), 401);
    const { body: known } = await backend.apiKeys.verify({ key: rotated.key, workspace_id });
    ok(known.valid && known.role === 'owner' && known.permissions?.includes('workspace:update'));
    await own.revoke({ key_id });
    deepEqual((await backend.apiKeys.verify({ key: rotated.key })).body, { valid: false });
    const leaked = (await own.create({ name: 'Leaked' })).body;
    const { uid } = owner;
    const { result } = (await backend.apiKeys.listOfUser({ uid })).body;
    deepEqual(
      result.map((each) => each.key_id),
      [leaked.key_id],
    );
    await backend.apiKeys.revokeOfUser({ uid, key_id: leaked.key_id });
    await fails(asKey(leaked.key).users.getMe({}), 401);
  });
  await checks.check(
    'an API key of a workspace acts there within its role, and nowhere else',
    async () => {
      const { workspaceKeys: own } = owner.client;
      const ci = await own.create({ workspace_id, name: 'CI', metadata: { team: 'web' } });
      const { key, key_id } = ci.body;
      deepEqual((await backend.apiKeys.verify({ key })).body.metadata, { team: 'web' });
      equal((await asKey(key).workspaces.get({ workspace_id })).body.workspace_id, workspace_id);
      await fails(asKey(key).users.getMe({}), 401);
      await fails(asKey(key).workspaces.update({ workspace_id, description: 'By a key' }), 403);
      const made = (await own.create({ workspace_id, name: 'Sync', role: 'admin' })).body;
      const sync = asKey(made.key);
      const description = 'By a key';
      equal(
        (await sync.workspaces.update({ workspace_id, description })).body.description,
        description,
      );
      const invite = { workspace_id, email: 'by-a-key@elsewhere.example', send_mail: false };
      const { body: invited } = await sync.invitations.create({ ...invite, role: 'member' });
      ok('inviter_id' in invited && invited.inviter_id === owner.uid);
      await sync.invitations.endByEmail({ workspace_id, email: invite.email });
      await own.revoke({ workspace_id, key_id: made.key_id });
      await fails(sync.workspaces.update({ workspace_id, description: '' }), 401);
      await backend.workspaceKeys.update({ workspace_id, key_id, name: 'Nightly' });
      equal((await backend.workspaceKeys.list({ workspace_id })).body.total, 1);
      await backend.workspaceKeys.rotate({ workspace_id, key_id });
      await own.revoke({ workspace_id, key_id });
      await fails(asKey(key).workspaces.get({ workspace_id }), 401);
      await eventually('first use of the key', async () => {
        const { body } = await owner.client.events.listOfWorkspace({ workspace_id, limit: 100 });
        const recorded = body.result.filter(({ event }) => event.actor.id === key_id);
        deepEqual(
          recorded.map(({ event }) => event.type),
          recorded.length > 0 ? ['workspace.api_key.first_used'] : [],
        );
        return recorded.length > 0 ? true : undefined;
      });
    },
  );
}
