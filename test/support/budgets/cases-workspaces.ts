import { keys } from '../../../shared/db/keys.ts';
import type { Person, World } from '../world.ts';
import { budgetTools, type Cases, from, type Place, profile, seedMembers } from './case.ts';
import { listCases } from './cases-directory.ts';

/** Workspaces from creation to deletion, their owners and members. */
export function workspaceCases(world: World) {
  const { basic } = world.project;
  const { person, place, call, at, both, again, memberOf } = budgetTools(world);
  const deleted = async () => {
    const one = await place();
    await world.call(at(one, 'DELETE'));
    return one;
  };
  const withAdmin = async () => {
    const one = await place();
    return { ...one, admin: await world.member(one, 'admin', await person()) };
  };
  type WithAdmin = Place & { admin: Person };
  const offer = (one: WithAdmin, auth?: string) =>
    at(one, 'POST /ownership', auth, { user_id: one.admin.uid });
  const offered = async () => {
    const one = await withAdmin();
    await world.call(offer(one, one.owner.bearer));
    return one;
  };
  const withMember = async () => {
    const one = await place();
    return { ...one, ada: await world.member(one, 'member', await person()) };
  };
  type WithMember = Place & { ada: Person };
  const add = (one: Place, { uid }: Person, auth?: string) =>
    at(one, 'POST /users', auth, { user_id: uid, role: 'member' });
  const remove = (one: WithMember, auth?: string) => at(one, `DELETE /users/${one.ada.uid}`, auth);
  const suspend = (one: WithMember, auth?: string) =>
    at(one, `PUT /users/${one.ada.uid}/suspension`, auth, { suspended: true });
  const crowd = async () => {
    const one = await place();
    await seedMembers(world, one, 150);
    return one;
  };
  const list = (one: Place, query: object, auth?: string) => ({
    ...at(one, 'GET /users', auth),
    query: { status: 'accepted', ...query },
  });

  return {
    'workspaces.create': {
      Basic: from(person, ({ uid }) =>
        call('POST /workspaces', basic, { name: 'Acme', owner_id: uid }),
      ),
      'Basic, with metadata': from(person, ({ uid }) =>
        call('POST /workspaces', basic, {
          ...{ name: 'Acme', owner_id: uid, app_metadata: { plan: 'free' } },
        }),
      ),
      Bearer: async () => {
        const project = await world.newProject({ workspace_creation: 'verified' });
        const { bearer } = await world.user({ ...profile, project, verified: true });
        return call('POST /workspaces', bearer, { name: 'Acme' });
      },
    },
    'workspaces.list': {
      ...both(
        () => memberOf(5),
        ({ uid }, auth) => call(`GET /workspaces${auth === basic ? `?user_id=${uid}` : ''}`, auth),
        ', 5 workspaces',
      ),
      ...listCases(world, '/workspaces'),
    },
    'workspaces.listJoined': {
      'Bearer, 5 workspaces': from(
        () => memberOf(5),
        ({ bearer }) => call('GET /workspaces/joined/search', bearer),
      ),
    },
    'workspaces.get': both(place, (one, auth) => at(one, 'GET', auth)),
    'workspaces.update': {
      ...both(place, (one, auth) => at(one, 'PUT', auth, { logo: 'https://example.com/logo.png' })),
      'Basic, new external id': from(place, (one) => at(one, 'PUT', basic, { external_id: 'new' })),
      'Bearer, which requires a second factor': async () => {
        const owner = await world.user({
          ...profile,
          project: await world.newProject({ mfa: 'optional' }),
        });
        return at(await world.workspace({ owner }), 'PUT', owner.bearer, { require_mfa: true });
      },
    },
    'workspaces.delete': both(place, (one, auth) => at(one, 'DELETE', auth)),
    'workspaces.restore': both(deleted, (one, auth) => at(one, 'POST /restore', auth)),
    'ownership.offer': {
      'Basic, handed over': from(withAdmin, (one) => offer(one)),
      Bearer: from(withAdmin, (one) => offer(one, one.owner.bearer)),
    },
    'ownership.accept': {
      Bearer: from(offered, (one) => at(one, 'POST /ownership/accept', one.admin.bearer)),
    },
    'ownership.end': both(offered, (one, auth) => at(one, 'DELETE /ownership', auth)),
    'members.add': {
      Basic: from(place, async (one) => add(one, await person())),
      'Basic, invited': from(place, async (one) =>
        add(one, await world.invited(one, 'member', await person())),
      ),
      'Bearer, who shares a workspace': from(place, async (one) => {
        const ada = await person();
        await world.member(await world.workspace({ owner: one.owner }), 'member', ada);
        return add(one, ada, one.owner.bearer);
      }),
      'Bearer, of a proven domain': from(place, async (one) => {
        const proven_domains = { 'example.com': '2026-11-21T08:00:00.000Z' };
        await world.table.update(keys.workspace(one.workspace_id), { proven_domains });
        return add(one, await person(), one.owner.bearer);
      }),
      'Bearer, a stranger, who is invited': from(place, async (one) =>
        add(one, await person(), one.owner.bearer),
      ),
    },
    'members.get': both(withMember, (one, auth) => at(one, `GET /users/${one.ada.uid}`, auth)),
    'members.remove': {
      ...both(withMember, remove),
      'Bearer, themself': from(withMember, (one) => remove(one, one.ada.bearer)),
    },
    'members.suspend': {
      Basic: from(withMember, (one) => suspend(one)),
      'Basic, suspended already': again(from(withMember, (one) => suspend(one))),
      Bearer: from(withMember, (one) => suspend(one, one.owner.bearer)),
    },
    'members.changeRole': both(withMember, (one, auth) =>
      at(one, `PUT /users/${one.ada.uid}/role`, auth, { role: 'admin' }),
    ),
    'members.list': {
      'Basic, 20 members': from(crowd, (one) => list(one, { limit: 20 })),
      'Basic, 100 members': from(crowd, (one) => list(one, { limit: 100 })),
      'Basic, 20 members, offset 120': from(crowd, (one) => list(one, { limit: 20, offset: 120 })),
      'Bearer, 20 members': from(crowd, (one) => list(one, { limit: 20 }, one.owner.bearer)),
      'Basic, 20 members, found by a name': from(place, async (one) => {
        for (let i = 1; i < 20; i += 1) await world.member(one, 'member', await person());
        await world.drainStream();
        return list(one, { limit: 20, query: 'augusta ada' });
      }),
    },
  } satisfies Cases;
}
