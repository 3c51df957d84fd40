import { asPerson } from './client-state.ts';
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
import type { Caller, SentRequest } from './history.ts';

/** Actions on invitations and join requests, complete walks through lists, and probes for data that must be refused. */

const roles = ['member', 'member', 'admin'] as const;

/** Pages through a list to its end. */
async function walk(turn: Turn, asked: SentRequest): Promise<void> {
  const { query, ...rest } = asked;
  const of = { ...rest, walk: turn.next() };
  let cursor: string | undefined;
  // More pages than any list here has: a list that never ends is a bug.
  for (let page = 0; page < 40; page += 1) {
    const limit = query?.['limit'] ?? upTo(turn, 5);
    const entry = await turn.ask({
      ...of,
      query: { ...query, limit, ...(cursor !== undefined && { cursor }) },
    });
    cursor = entry.next;
    if (entry.status !== 200 || cursor === undefined) return;
  }
}

const lists: readonly ((turn: Turn) => SentRequest)[] = [
  (turn) => {
    const place = anyPlace(turn);
    const as = manager(turn, place);
    return { name: 'members.list', as, params: inPlace(place), query: { status: 'accepted' } };
  },
  (turn) => {
    const place = anyPlace(turn);
    const as = manager(turn, place);
    return { name: 'members.list', as, params: inPlace(place), query: { status: 'pending' } };
  },
  (turn) => {
    const place = anyPlace(turn);
    return { name: 'invitations.list', as: manager(turn, place), params: inPlace(place) };
  },
  (turn) => {
    const place = anyPlace(turn);
    return { name: 'joinRequests.list', as: manager(turn, place), params: inPlace(place) };
  },
  (turn) => ({
    name: 'workspaces.list',
    as: backend(turn),
    query: { user_id: anyone(turn).uid },
  }),
  (turn) => ({ name: 'workspaces.list', as: asPerson(turn.project, anySession(turn)) }),
  (turn) => ({ name: 'workspaces.listJoined', as: asPerson(turn.project, anySession(turn)) }),
  // Lists of the whole project: larger pages, so that these end too.
  (turn) => ({
    ...{ name: 'users.list', as: backend(turn) },
    query: { limit: 50 + upTo(turn, 50), order: chance(turn, 0.5) ? 'asc' : 'desc' },
  }),
  (turn) => ({
    ...{ name: 'workspaces.list', as: backend(turn) },
    query: { limit: 50 + upTo(turn, 50), order: chance(turn, 0.5) ? 'asc' : 'desc' },
  }),
];

const wholeLists: readonly ((turn: Turn) => SentRequest)[] = [
  (turn) => {
    const place = anyPlace(turn);
    return { name: 'joinLinks.list', as: manager(turn, place), params: inPlace(place) };
  },
  (turn) => ({ name: 'sessions.list', as: backend(turn), query: { user_id: anyone(turn).uid } }),
  (turn) => ({ name: 'sessions.list', as: asPerson(turn.project, anySession(turn)) }),
  (turn) => ({ name: 'workspaces.listInvited', as: asPerson(turn.project, anySession(turn)) }),
];

/** A request by a caller of one project for data of another. */
function probe(turn: Turn): SentRequest {
  const { project, other } = turn;
  const uid = pick(turn, other.people).uid;
  const { workspace_id } = pick(turn, other.places);
  const as: Caller = chance(turn, 0.6) ? backend(turn) : asPerson(project, anySession(turn));
  const all: Omit<SentRequest, 'as'>[] = [
    { name: 'users.update', params: { uid }, body: { display_name: `n${turn.next()}` } },
    { name: 'users.delete', params: { uid }, body: {} },
    { name: 'users.export', params: { uid } },
    { name: 'workspaces.get', params: { workspace_id } },
    { name: 'workspaces.update', params: { workspace_id }, body: { name: `w${turn.next()}` } },
    { name: 'workspaces.delete', params: { workspace_id } },
    { name: 'workspaces.restore', params: { workspace_id } },
    { name: 'members.get', params: { workspace_id, user_id: uid } },
    {
      name: 'members.list',
      params: { workspace_id },
      query: { status: pick(turn, ['accepted', 'pending']) },
    },
    { name: 'members.add', params: { workspace_id }, body: { user_id: uid, role: 'admin' } },
    { name: 'invitations.list', params: { workspace_id } },
    { name: 'joinLinks.list', params: { workspace_id } },
    ...(as.kind === 'project'
      ? ([
          { name: 'users.get', params: { uid } },
          { name: 'sessions.create', body: { uid } },
          { name: 'sessions.list', query: { user_id: uid } },
          { name: 'workspaces.list', query: { user_id: uid } },
          { name: 'users.search', body: { uids: [uid] } },
          // An own user into a foreign workspace, and the reverse.
          {
            name: 'members.add',
            params: inPlace(anyPlace(turn)),
            body: { user_id: uid, role: 'member' },
          },
          {
            name: 'members.add',
            params: { workspace_id },
            body: { user_id: anyone(turn).uid, role: 'member' },
          },
        ] as const)
      : []),
  ];
  return { ...pick(turn, all), as, probe: 'foreign' };
}

export const joining: Record<string, Action> = {
  invite: {
    weight: 6,
    run: (turn) => {
      const place = anyPlace(turn);
      const body = {
        email: pick(turn, turn.project.emails),
        role: pick(turn, roles),
        // Few mails: the rate limit for one e-mail is reached soon.
        ...(!chance(turn, 0.1) && { send_mail: false }),
      };
      return turn.ask({
        name: 'invitations.create',
        as: manager(turn, place),
        params: inPlace(place),
        body,
      });
    },
  },
  'invite several': {
    weight: 1,
    run: (turn) => {
      const place = anyPlace(turn);
      const emails = new Set(Array.from({ length: 4 }, () => pick(turn, turn.project.emails)));
      const invitations = [...emails].map((email) => ({ email, role: pick(turn, roles) }));
      return turn.ask({
        name: 'invitations.create',
        as: manager(turn, place),
        params: inPlace(place),
        body: { invitations, send_mail: false },
      });
    },
  },
  'accept an invitation': {
    weight: 5,
    run: (turn) => {
      const { uid, token } = pick(turn, anyPlace(turn).invited);
      const as = chance(turn, 0.2) ? backend(turn) : personOf(turn, uid);
      return turn.ask({ name: 'invitations.accept', as, body: { token } });
    },
  },
  'accept an invitation during its revocation': {
    weight: 1.5,
    run: (turn) => {
      const place = anyPlace(turn);
      const { uid, token } = pick(turn, place.invited);
      const as = backend(turn);
      return Promise.all([
        turn.ask({ name: 'invitations.accept', as, body: { token } }),
        turn.ask(
          chance(turn, 0.5)
            ? { name: 'invitations.end', as, params: ofUser(place, uid) }
            : {
                name: 'members.add',
                as,
                params: inPlace(place),
                body: { user_id: uid, role: 'member' },
              },
        ),
      ]);
    },
  },
  'decline an invitation': {
    weight: 1,
    run: (turn) => {
      const place = anyPlace(turn);
      const { uid } = pick(turn, place.invited);
      const params = ofUser(place, uid);
      return turn.ask({ name: 'invitations.end', as: personOf(turn, uid), params });
    },
  },
  'revoke an invitation': {
    weight: 1,
    run: (turn) => {
      const place = anyPlace(turn);
      const params = ofUser(place, pick(turn, place.invited).uid);
      return turn.ask({ name: 'invitations.end', as: manager(turn, place), params });
    },
  },
  'revoke by e-mail': {
    weight: 0.7,
    run: (turn) => {
      const place = anyPlace(turn);
      const { email } = pick(turn, place.invited);
      return turn.ask({
        name: 'invitations.endByEmail',
        as: manager(turn, place),
        params: inPlace(place),
        query: { email },
      });
    },
  },
  'resend an invitation': {
    weight: 0.5,
    run: (turn) => {
      const place = anyPlace(turn);
      const params = ofUser(place, pick(turn, place.invited).uid);
      return turn.ask({ name: 'invitations.resend', as: manager(turn, place), params });
    },
  },
  'ask to join': {
    weight: 3,
    run: (turn) => {
      const { uid } = anySession(turn);
      const params = inPlace(anyPlace(turn));
      return turn.ask({ name: 'joinRequests.create', as: personOf(turn, uid), params, body: {} });
    },
  },
  'approve a request': {
    weight: 2,
    run: (turn) => {
      const place = anyPlace(turn);
      const params = ofUser(place, pick(turn, [...place.asking]));
      const body = chance(turn, 0.3) ? { role: pick(turn, roles) } : {};
      return turn.ask({ name: 'joinRequests.approve', as: manager(turn, place), params, body });
    },
  },
  'refuse or take back a request': {
    weight: 1,
    run: (turn) => {
      const place = anyPlace(turn);
      const uid = pick(turn, [...place.asking]);
      const as = chance(turn, 0.5) ? personOf(turn, uid) : manager(turn, place);
      return turn.ask({ name: 'joinRequests.delete', as, params: ofUser(place, uid) });
    },
  },
  'walk through a list': { weight: 4, run: (turn) => walk(turn, pick(turn, lists)(turn)) },
  'read a whole list': { weight: 4, run: (turn) => turn.ask(pick(turn, wholeLists)(turn)) },
  'request a foreign resource': { weight: 4, run: (turn) => turn.ask(probe(turn)) },
  'use a cursor elsewhere': {
    weight: 1,
    run: async (turn) => {
      const [place, another] = [anyPlace(turn), anyPlace(turn)];
      const query = { status: 'accepted', limit: 1 };
      const asked = { name: 'members.list', as: backend(turn), query } as const;
      const { next } = await turn.ask({ ...asked, params: inPlace(place) });
      if (next === undefined || another === place) return;
      await turn.ask({
        ...asked,
        params: inPlace(another),
        query: { ...query, cursor: next },
        probe: 'cursor',
      });
    },
  },
};
