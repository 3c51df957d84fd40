import { keys } from '../../../shared/db/keys.ts';
import { userKey, workspaceKey } from '../api-keys.ts';
import type { World } from '../world.ts';
import { budgetTools, type Cases, from } from './case.ts';

/** API keys of users and workspaces, and requests that authenticate with one. */
export function keyCases(world: World) {
  const { basic } = world.project;
  const { person, place, call, at, both } = budgetTools(world);
  const withKey = async () => {
    const ada = await person();
    return { ...ada, made: await userKey(world, ada) };
  };
  const placeWithKey = async () => {
    const one = await place();
    return { ...one, made: await workspaceKey(world, one, { role: 'admin' }) };
  };
  type WithKey = Awaited<ReturnType<typeof withKey>>;
  const own = ({ bearer, made }: WithKey, method: string, more = '', body?: object) =>
    call(`${method} /users/me/api_keys/${made.key_id}${more}`, bearer, body);
  const body = { name: 'CI' };
  const changes = { name: 'Nightly', metadata: { repository: 'web' } };

  return {
    'apiKeys.create': {
      Bearer: from(person, ({ bearer }) => call('POST /users/me/api_keys', bearer, body)),
    },
    'apiKeys.list': {
      Bearer: from(withKey, ({ bearer }) => call('GET /users/me/api_keys', bearer)),
    },
    'apiKeys.update': { Bearer: from(withKey, (one) => own(one, 'PUT', '', changes)) },
    'apiKeys.revoke': { Bearer: from(withKey, (one) => own(one, 'DELETE')) },
    'apiKeys.rotate': { Bearer: from(withKey, (one) => own(one, 'POST', '/rotate', {})) },
    'apiKeys.listOfUser': {
      Basic: from(withKey, ({ uid }) => call(`GET /users/${uid}/api_keys`, basic)),
    },
    'apiKeys.revokeOfUser': {
      Basic: from(withKey, ({ uid, made: { key_id } }) =>
        call(`DELETE /users/${uid}/api_keys/${key_id}`, basic),
      ),
    },
    'apiKeys.verify': {
      'Basic, of a user': from(withKey, ({ made: { key } }) =>
        call('POST /api_keys/verify', basic, { key }),
      ),
      'Basic, of a workspace': from(placeWithKey, ({ made: { key } }) =>
        call('POST /api_keys/verify', basic, { key }),
      ),
    },
    'workspaceKeys.create': both(place, (one, auth) => at(one, 'POST /api_keys', auth, body)),
    'workspaceKeys.list': both(placeWithKey, (one, auth) => at(one, 'GET /api_keys', auth)),
    'workspaceKeys.update': both(placeWithKey, (one, auth) =>
      at(one, `PUT /api_keys/${one.made.key_id}`, auth, changes),
    ),
    'workspaceKeys.revoke': both(placeWithKey, (one, auth) =>
      at(one, `DELETE /api_keys/${one.made.key_id}`, auth),
    ),
    'workspaceKeys.rotate': both(placeWithKey, (one, auth) =>
      at(one, `POST /api_keys/${one.made.key_id}/rotate`, auth, {}),
    ),
  };
}

/** Changes of a workspace by its API key: the transaction checks the key instead of a member. */
export function casesByKey(world: World) {
  const { person, place, at } = budgetTools(world);
  const placeByKey = async () => {
    const one = await place();
    const proven_domains = { 'example.com': '2026-11-21T08:00:00.000Z' };
    await world.table.update(keys.workspace(one.workspace_id), { proven_domains });
    const { bearer } = await workspaceKey(world, one, { role: 'admin' });
    // The last use is recorded once a day.
    await world.call(at(one, 'GET', bearer));
    return { ...one, bearer };
  };
  const label = 'Bearer, key of the workspace';
  return {
    'workspaces.update': {
      [label]: from(placeByKey, (one) => at(one, 'PUT', one.bearer, { name: 'New' })),
    },
    'members.add': {
      [`${label}, of a proven domain`]: from(placeByKey, async (one) => {
        const { uid: user_id } = await person();
        return at(one, 'POST /users', one.bearer, { user_id, role: 'member' });
      }),
    },
    'invitations.create': {
      [label]: from(placeByKey, (one) => {
        const email = `${one.workspace_id}@example.org`;
        return at(one, 'POST /invitations', one.bearer, { email, role: 'member' });
      }),
    },
  } satisfies Cases;
}
