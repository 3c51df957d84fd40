import { setTimeout as sleep } from 'node:timers/promises';
import { asKey, type Place, type PlaceKey } from './client-state.ts';
import {
  type Action,
  anyone,
  anyPlace,
  backend,
  chance,
  inPlace,
  manager,
  ofUser,
  pick,
  type Turn,
} from './client-turn.ts';
import type { Caller, Entry, SentRequest } from './history.ts';

/** Actions with API keys of workspaces. */

/** Permissions to limit a key to; keys of members lack some of them. */
const limits = ['workspace:read', 'workspace:update', 'member:add', 'member:list-accepted'];

/** A recently known key of a workspace; some are revoked. */
function anyKey(turn: Turn): { place: Place; key: PlaceKey } {
  const place = pick(
    turn,
    turn.project.places.filter(({ keys }) => keys.length > 0),
  );
  return { place, key: pick(turn, place.keys) };
}

/** A request of members or managers; each key is allowed some of them. */
function request(turn: Turn, place: Place): Omit<SentRequest, 'as'> {
  const params = inPlace(place);
  const { uid } = anyone(turn);
  return pick(turn, [
    () => ({ name: 'workspaces.get', params }) as const,
    () => ({ name: 'workspaces.get', params }) as const,
    () => ({ name: 'members.list', params, query: { status: 'accepted' } }) as const,
    () => ({ name: 'members.list', params, query: { status: 'pending' } }) as const,
    () => ({ name: 'events.listOfWorkspace', params }) as const,
    () => ({ name: 'workspaces.update', params, body: { name: `w${turn.next()}` } }) as const,
    () => ({ name: 'workspaces.update', params, body: { name: `w${turn.next()}` } }) as const,
    () => ({ name: 'members.add', params, body: { user_id: uid, role: 'member' } }) as const,
    () => ({ name: 'members.remove', params: ofUser(place, uid) }) as const,
    // No key may do this, whatever its permissions.
    () => ({ name: 'workspaces.delete', params }) as const,
    () => ({ name: 'workspaceKeys.create', params, body: { name: 'another' } }) as const,
  ])();
}

const use = (turn: Turn, place: Place, as: Caller): Promise<Entry> =>
  turn.ask({ ...request(turn, place), as });

/** A user who manages the keys. No key can. */
const keeper = (turn: Turn, place: Place): Caller => {
  const as = manager(turn, place);
  return as.kind === 'key' ? backend(turn) : as;
};

export const keys: Record<string, Action> = {
  'make a key': {
    weight: 2.5,
    run: (turn) => {
      const place = anyPlace(turn);
      const body: Record<string, unknown> = { name: `k${turn.next()}` };
      if (chance(turn, 0.6)) body['role'] = pick(turn, ['member', 'admin', 'admin']);
      if (chance(turn, 0.4)) body['permissions'] = limits.filter(() => chance(turn, 0.5));
      if (String(body['permissions']) === '') delete body['permissions'];
      const as = keeper(turn, place);
      return turn.ask({ name: 'workspaceKeys.create', as, params: inPlace(place), body });
    },
  },
  'use a key': {
    weight: 8,
    run: (turn) => {
      const { place, key } = anyKey(turn);
      return use(turn, place, asKey(turn.project, place, key, pick(turn, key.tokens)));
    },
  },
  'use a key in another workspace': {
    weight: 1,
    run: (turn) => {
      const { place, key } = anyKey(turn);
      return use(turn, anyPlace(turn), asKey(turn.project, place, key));
    },
  },
  'rotate a key': {
    weight: 1.5,
    run: async (turn) => {
      const { place, key } = anyKey(turn);
      const before = pick(turn, key.tokens);
      const params = { ...inPlace(place), key_id: key.key_id };
      const as = keeper(turn, place);
      // An immediate rotation also ends the texts that others have left.
      for (const overlap of pick(turn, [[0], [3_600], [3_600, 0]]))
        await turn.ask({ name: 'workspaceKeys.rotate', as, params, body: { overlap } });
      return use(turn, place, asKey(turn.project, place, key, before));
    },
  },
  // A revoked key must be refused for everything.
  'revoke a key while it is used': {
    weight: 1.5,
    run: async (turn) => {
      const { place, key } = anyKey(turn);
      const as = asKey(turn.project, place, key);
      const params = { ...inPlace(place), key_id: key.key_id };
      const used = sleep(turn.random() * 20).then(() => use(turn, place, as));
      const by = keeper(turn, place);
      await turn.ask({ name: 'workspaceKeys.revoke', as: by, params });
      await Promise.all([used, use(turn, place, as)]);
      return use(turn, place, as);
    },
  },
};
