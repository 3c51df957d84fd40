import { setTimeout as sleep } from 'node:timers/promises';
import { asPerson, domains, findPerson, type Place } from './client-state.ts';
import {
  type Action,
  anyone,
  anyPlace,
  anySession,
  backend,
  chance,
  inPlace,
  manager,
  ofUser,
  personOf,
  pick,
  type Turn,
  upTo,
} from './client-turn.ts';

/** Actions on workspaces and their members. */

const roles = ['member', 'member', 'admin'] as const;

/** The owner or the backend. */
const ownerOf = (turn: Turn, place: Place) =>
  chance(turn, 0.5) ? backend(turn) : personOf(turn, place.owner);

/** A workspace that a user has left must be missing from their list at once. */
const showPlaces = (turn: Turn, uid: string) =>
  turn.ask({ name: 'workspaces.list', as: backend(turn), query: { user_id: uid } });

const domainOf = (turn: Turn, uid: string): string =>
  findPerson(turn.project, uid)?.email.split('@')[1] ?? domains[0];

export const workspaces: Record<string, Action> = {
  'create a workspace': {
    weight: 3,
    run: (turn) => {
      const body = { name: `w${turn.next()}`, owner_id: anyone(turn).uid };
      return turn.ask({ name: 'workspaces.create', as: backend(turn), body });
    },
  },
  'read a workspace': {
    weight: 8,
    run: (turn) => {
      const as = chance(turn, 0.5) ? backend(turn) : asPerson(turn.project, anySession(turn));
      return turn.ask({ name: 'workspaces.get', as, params: inPlace(anyPlace(turn)) });
    },
  },
  'change a workspace': {
    weight: 6,
    run: (turn) => {
      const place = anyPlace(turn);
      const body = chance(turn, 0.6)
        ? { name: `w${turn.next()}` }
        : { description: `d${turn.next()}` };
      const as = manager(turn, place);
      return turn.ask({ name: 'workspaces.update', as, params: inPlace(place), body });
    },
  },
  'delete a workspace': {
    weight: 1.6,
    run: async (turn) => {
      const place = anyPlace(turn);
      const asked = { as: ownerOf(turn, place), params: inPlace(place) };
      const deleted = await turn.ask({ ...asked, name: 'workspaces.delete' });
      if (chance(turn, 0.5)) return deleted;
      return turn.ask({ name: 'workspaces.get', as: backend(turn), params: inPlace(place) });
    },
  },
  'restore a workspace': {
    weight: 2,
    run: (turn) => {
      const place = pick(
        turn,
        turn.project.places.filter(({ gone }) => gone),
      );
      const as = ownerOf(turn, place);
      return turn.ask({ name: 'workspaces.restore', as, params: inPlace(place) });
    },
  },
  'set the domains': {
    weight: 2,
    run: (turn) => {
      const place = anyPlace(turn);
      const as = manager(turn, place);
      const own = as.kind === 'person' ? [domainOf(turn, as.uid)] : domains;
      const allowed_domains = own.filter(() => chance(turn, 0.6));
      return turn.ask({
        name: 'workspaces.setAllowedDomains',
        as,
        params: inPlace(place),
        body: { allowed_domains },
      });
    },
  },
  'set the mode of a domain': {
    weight: 1.5,
    run: (turn) => {
      const mode = pick(turn, ['auto', 'suggest', 'off']);
      const params = { ...inPlace(anyPlace(turn)), domain: pick(turn, domains) };
      return turn.ask({ name: 'domains.set', as: backend(turn), params, body: { mode } });
    },
  },
  'add a member': {
    weight: 6,
    run: (turn) => {
      const place = anyPlace(turn);
      const body = { user_id: anyone(turn).uid, role: pick(turn, roles) };
      return turn.ask({
        name: 'members.add',
        as: manager(turn, place),
        params: inPlace(place),
        body,
      });
    },
  },
  'read a member': {
    weight: 6,
    run: (turn) => {
      const params = ofUser(anyPlace(turn), anyone(turn).uid);
      return turn.ask({ name: 'members.get', as: backend(turn), params });
    },
  },
  'remove a member': {
    weight: 3,
    run: async (turn) => {
      const place = anyPlace(turn);
      const { uid } = anyone(turn);
      const params = ofUser(place, uid);
      const removed = await turn.ask({ name: 'members.remove', as: manager(turn, place), params });
      if (removed.status !== 200 || chance(turn, 0.3)) return removed;
      if (chance(turn, 0.5)) return showPlaces(turn, uid);
      const as = personOf(turn, uid);
      return turn.ask({ name: 'workspaces.get', as, params: inPlace(place) });
    },
  },
  leave: {
    weight: 1.5,
    run: async (turn) => {
      const { uid } = anySession(turn);
      const params = ofUser(anyPlace(turn), uid);
      const left = await turn.ask({ name: 'members.remove', as: personOf(turn, uid), params });
      return left.status === 200 ? showPlaces(turn, uid) : left;
    },
  },
  'change a role': {
    weight: 5,
    run: (turn) => {
      const place = anyPlace(turn);
      const uid = chance(turn, 0.5) ? pick(turn, [...place.admins]) : anyone(turn).uid;
      const body = { role: pick(turn, ['member', 'admin', 'admin']) };
      const params = ofUser(place, uid);
      return turn.ask({ name: 'members.changeRole', as: manager(turn, place), params, body });
    },
  },
  'suspend and resume a member': {
    weight: 1.5,
    run: async (turn) => {
      const place = anyPlace(turn);
      const uid = chance(turn, 0.5) ? pick(turn, [...place.admins]) : anyone(turn).uid;
      const asked = { params: ofUser(place, uid), name: 'members.suspend' } as const;
      const as = manager(turn, place);
      const done = await turn.ask({ ...asked, as, body: { suspended: true } });
      if (done.status === 200 && chance(turn, 0.5))
        await turn.ask({
          name: 'workspaces.get',
          as: personOf(turn, uid),
          params: inPlace(place),
        });
      return turn.ask({ ...asked, as: backend(turn), body: { suspended: false } });
    },
  },
  'offer the ownership': {
    weight: 3,
    run: async (turn) => {
      const place = anyPlace(turn);
      const user_id = pick(turn, [...place.admins]);
      const as = chance(turn, 0.25) ? backend(turn) : personOf(turn, place.owner);
      const offer = { as, params: inPlace(place), body: { user_id } };
      const offered = await turn.ask({ ...offer, name: 'ownership.offer' });
      // Meanwhile another user may remove their admin role.
      if (offered.status !== 200 || as.kind === 'project' || chance(turn, 0.3)) return offered;
      const accepted = { as: personOf(turn, user_id), params: inPlace(place) };
      return turn.ask({ ...accepted, name: 'ownership.accept' });
    },
  },
  'accept the ownership': {
    weight: 1,
    run: (turn) => {
      const place = anyPlace(turn);
      const as = personOf(turn, pick(turn, place.offered === undefined ? [] : [place.offered]));
      return turn.ask({ name: 'ownership.accept', as, params: inPlace(place) });
    },
  },
  // The next owner must not lose the admin role at the same moment.
  'hand over while it changes': {
    weight: 3,
    run: async (turn) => {
      const place = anyPlace(turn);
      const user_id = anyone(turn).uid;
      const another = pick(turn, [...place.admins]);
      const [as, params] = [backend(turn), ofUser(place, user_id)];
      const promoted = { as, params: inPlace(place), body: { user_id, role: 'admin' } };
      const added = await turn.ask({ ...promoted, name: 'members.add' });
      const demoted = { as, params, body: { role: 'admin' } };
      if (added.status === 409) await turn.ask({ ...demoted, name: 'members.changeRole' });
      else if (added.status !== 200 && added.status !== 201) return;
      const handOver = (to: string) =>
        turn.ask({
          name: 'ownership.offer',
          as,
          params: inPlace(place),
          body: { user_id: to },
        });
      const against = [
        () => turn.ask({ name: 'members.changeRole', as, params, body: { role: 'member' } }),
        () => turn.ask({ name: 'members.remove', as, params }),
        () => turn.ask({ name: 'members.suspend', as, params, body: { suspended: true } }),
        () => turn.ask({ name: 'workspaces.delete', as, params: inPlace(place) }),
        () => handOver(another),
      ];
      await Promise.all([
        sleep(turn.random() * 30).then(() => handOver(user_id)),
        sleep(turn.random() * 30).then(pick(turn, against)),
      ]);
    },
  },
  'end the offer': {
    weight: 0.5,
    run: (turn) => {
      const place = anyPlace(turn);
      return turn.ask({ name: 'ownership.end', as: ownerOf(turn, place), params: inPlace(place) });
    },
  },
  // A user must not be a member twice, be both member and invitee, or join by an e-mail that they no longer have.
  'add while something else happens': {
    weight: 4,
    run: (turn) => {
      const place = anyPlace(turn);
      const { uid, email } = anyone(turn);
      const [as, params] = [backend(turn), inPlace(place)];
      const role = pick(turn, roles);
      const ways = [
        () => turn.ask({ name: 'members.add', as, params, body: { user_id: uid, role } }),
        () => turn.ask({ name: 'members.join', as, body: { ...inPlace(place), user_id: uid } }),
      ];
      const invite = () =>
        turn.ask({
          name: 'invitations.create',
          as,
          params,
          body: { email, role, send_mail: false },
        });
      const of = { as, params: { uid } };
      const others = [
        invite,
        invite,
        pick(turn, ways),
        () => turn.ask({ ...of, name: 'users.update', body: { display_name: `n${turn.next()}` } }),
        ...(chance(turn, 0.3) ? [() => turn.ask({ ...of, name: 'users.delete', body: {} })] : []),
      ];
      const other = sleep(turn.random() * 40).then(pick(turn, others));
      return Promise.all([sleep(turn.random() * 40).then(pick(turn, ways)), other]);
    },
  },
  'join by oneself': {
    weight: 4,
    run: (turn) => {
      const { uid } = anySession(turn);
      const body = { ...inPlace(anyPlace(turn)), user_id: uid };
      return turn.ask({ name: 'members.join', as: personOf(turn, uid), body });
    },
  },
  'join by the backend': {
    weight: 1.5,
    run: (turn) => {
      const body = { ...inPlace(anyPlace(turn)), user_id: anyone(turn).uid };
      return turn.ask({ name: 'members.join', as: backend(turn), body });
    },
  },
  'join by a link': {
    weight: 3,
    run: (turn) => {
      const place = anyPlace(turn);
      const { token } = pick(turn, place.links);
      const { uid } = anySession(turn);
      const body = { ...inPlace(place), user_id: uid, join_token: token };
      return turn.ask({ name: 'members.join', as: personOf(turn, uid), body });
    },
  },
  'make a join link': {
    weight: 2,
    run: (turn) => {
      const place = anyPlace(turn);
      const body: Record<string, unknown> = { role: pick(turn, roles) };
      if (chance(turn, 0.3)) body['max_uses'] = upTo(turn, 3);
      if (chance(turn, 0.2)) body['restrict_to_allowed_domains'] = true;
      return turn.ask({
        name: 'joinLinks.create',
        as: manager(turn, place),
        params: inPlace(place),
        body,
      });
    },
  },
  'revoke a join link': {
    weight: 1,
    run: async (turn) => {
      const place = anyPlace(turn);
      const { link_id, token } = pick(turn, place.links);
      const params = { ...inPlace(place), link_id };
      await turn.ask({ name: 'joinLinks.revoke', as: manager(turn, place), params });
      const { uid } = anySession(turn);
      const body = { ...inPlace(place), user_id: uid, join_token: token };
      return turn.ask({ name: 'members.join', as: personOf(turn, uid), body });
    },
  },
};
