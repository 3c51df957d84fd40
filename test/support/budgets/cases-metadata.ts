import type { Person, World } from '../world.ts';
import { budgetTools, type Cases, from, type Place } from './case.ts';

/** Changes of existing metadata of users, workspaces and members. */
export function metadataCases(world: World) {
  const { basic } = world.project;
  const { person, place, call, at, both } = budgetTools(world);
  const first = { app_metadata: { plan: 'free' } };
  const other = { app_metadata: { plan: 'team' } };
  const own = { user_metadata: { theme: 'dark' } };
  const withMetadata = async () => {
    const one = await person();
    await world.call(call(`PUT /users/${one.uid}/metadata`, basic, first));
    return one;
  };
  const workspace = async () => {
    const one = await place();
    await world.call(at(one, 'PUT /metadata', basic, first));
    return one;
  };
  const member = async () => {
    const one = await place();
    return { ...one, ada: await world.member(one, 'member', await person()) };
  };
  const of = ({ ada }: Place & { ada: Person }) => `/users/${ada.uid}/metadata`;

  return {
    'users.getMetadata': both(withMetadata, ({ uid }, auth) =>
      call(`GET /users/${uid}/metadata`, auth),
    ),
    'users.setMetadata': {
      ...both(withMetadata, ({ uid }, auth) => call(`PUT /users/${uid}/metadata`, auth, own)),
      'Basic, the first': from(person, ({ uid }) =>
        call(`PUT /users/${uid}/metadata`, basic, first),
      ),
    },
    'users.mergeMetadata': both(withMetadata, ({ uid }, auth) =>
      call(`PATCH /users/${uid}/metadata`, auth, own),
    ),
    'workspaces.getMetadata': both(workspace, (one, auth) => at(one, 'GET /metadata', auth)),
    'workspaces.setMetadata': {
      Basic: from(workspace, (one) => at(one, 'PUT /metadata', basic, other)),
    },
    'workspaces.mergeMetadata': {
      Basic: from(workspace, (one) => at(one, 'PATCH /metadata', basic, other)),
    },
    'members.setMetadata': {
      Basic: from(member, (one) => at(one, `PUT ${of(one)}`, basic, first)),
    },
    'members.mergeMetadata': {
      Basic: from(member, (one) => at(one, `PATCH ${of(one)}`, basic, first)),
    },
  } satisfies Cases;
}
