import { setTimeout as sleep } from 'node:timers/promises';
import { asPerson, domains } from './client-state.ts';
import {
  type Action,
  anyone,
  anySession,
  backend,
  chance,
  personOf,
  pick,
  sessionOf,
  type Turn,
} from './client-turn.ts';
import type { Caller } from './history.ts';

/** Actions on users and sessions. */

const getOrCreate = (turn: Turn) => {
  const body: Record<string, unknown> = { email: pick(turn, turn.project.emails) };
  if (chance(turn, 0.4)) body['display_name'] = `n${turn.next()}`;
  if (chance(turn, 0.6)) body['email_verified'] = true;
  return turn.ask({ name: 'users.create', as: backend(turn), body });
};

/** A caller who may read or change a user: the user or the backend. */
const userOrBackend = (turn: Turn, uid: string): Caller =>
  chance(turn, 0.5) ? backend(turn) : personOf(turn, uid);

const refresh = (turn: Turn, session: ReturnType<typeof anySession>, token = session.refresh) =>
  turn.ask({
    name: 'sessions.refresh',
    as: {
      kind: 'refresh',
      project_id: turn.project.project_id,
      uid: session.uid,
      session_id: session.session_id,
      token,
    },
    body: { accessToken: session.access },
  });

export const people: Record<string, Action> = {
  'get or create': { weight: 9, run: getOrCreate },
  // A mobile and a desktop sign up at once.
  'create twice concurrently': {
    weight: 2,
    run: async (turn) => {
      const body = { email: `new${turn.next()}@${pick(turn, domains)}`, email_verified: true };
      const asked = { name: 'users.create', as: backend(turn), body } as const;
      // Slightly later, so that it may read before the first has written, and write after it.
      const second = sleep(turn.random() * 60).then(() => turn.ask(asked));
      await Promise.all([turn.ask(asked), second]);
      turn.project.emails.push(body.email);
      turn.project.emails.splice(0, turn.project.emails.length - 24);
    },
  },
  'read oneself': {
    weight: 8,
    run: (turn) => turn.ask({ name: 'users.getMe', as: asPerson(turn.project, anySession(turn)) }),
  },
  'read a user': {
    weight: 6,
    run: (turn) =>
      turn.ask({ name: 'users.get', as: backend(turn), params: { uid: anyone(turn).uid } }),
  },
  'find users': {
    weight: 2,
    run: (turn) => {
      const uids = [...new Set([anyone(turn).uid, anyone(turn).uid, anyone(turn).uid])];
      return turn.ask({ name: 'users.search', as: backend(turn), body: { uids } });
    },
  },
  'rename a user': {
    weight: 6,
    run: (turn) => {
      const { uid } = anyone(turn);
      const body = { display_name: `n${turn.next()}` };
      return turn.ask({
        name: 'users.update',
        as: userOrBackend(turn, uid),
        params: { uid },
        body,
      });
    },
  },
  'change an e-mail': {
    weight: 2.5,
    run: (turn) => {
      const body: Record<string, unknown> = { email: pick(turn, turn.project.emails) };
      if (chance(turn, 0.5)) body['email_verified'] = true;
      if (chance(turn, 0.3)) body['display_name'] = `n${turn.next()}`;
      const params = { uid: anyone(turn).uid };
      return turn.ask({ name: 'users.update', as: backend(turn), params, body });
    },
  },
  'disable and enable a user': {
    weight: 0.7,
    run: async (turn) => {
      const asked = { name: 'users.update', as: backend(turn), params: { uid: anyone(turn).uid } };
      await turn.ask({ ...asked, name: 'users.update', body: { disabled: true } });
      return turn.ask({ ...asked, name: 'users.update', body: { disabled: false } });
    },
  },
  // A disabled or deleted user has no sessions, not even one that starts at the same moment.
  'start a session while its user is deleted': {
    weight: 2,
    run: async (turn) => {
      const [as, { uid }] = [backend(turn), anyone(turn)];
      const disable = (disabled: boolean) =>
        turn.ask({ name: 'users.update', as, params: { uid }, body: { disabled } });
      const rename = chance(turn, 0.7)
        ? () => disable(true)
        : () => turn.ask({ name: 'users.delete', as, params: { uid }, body: {} });
      const starts = () => turn.ask({ name: 'sessions.create', as, body: { uid } });
      await Promise.all([
        sleep(turn.random() * 20).then(rename),
        sleep(turn.random() * 40).then(starts),
      ]);
      // Some stay disabled to the end, when the table is checked for what they left.
      if (chance(turn, 0.6)) await disable(false);
    },
  },
  'delete a user': {
    weight: 2,
    run: async (turn) => {
      const { uid } = anyone(turn);
      const as = userOrBackend(turn, uid);
      const deleted = await turn.ask({ name: 'users.delete', as, params: { uid }, body: {} });
      if (deleted.status !== 200 || chance(turn, 0.5)) return deleted;
      return turn.ask({ name: 'users.getDeletion', as: backend(turn), params: { uid } });
    },
  },
  'start a session': {
    weight: 8,
    run: (turn) =>
      turn.ask({ name: 'sessions.create', as: backend(turn), body: { uid: anyone(turn).uid } }),
  },
  'refresh a session': { weight: 6, run: (turn) => refresh(turn, anySession(turn)) },
  'refresh in two tabs': {
    weight: 2,
    run: (turn) => {
      const session = anySession(turn);
      const { refresh: token } = session;
      return Promise.all([refresh(turn, session, token), refresh(turn, session, token)]);
    },
  },
  'refresh with the previous token': {
    weight: 1.5,
    run: (turn) => {
      const session = anySession(turn);
      return refresh(turn, session, pick(turn, session.older.slice(0, 1)));
    },
  },
  'refresh with a stolen token': {
    weight: 0.7,
    run: async (turn) => {
      const session = anySession(turn);
      for (let i = session.older.length; i < 2; i += 1) await refresh(turn, session);
      await refresh(turn, session, pick(turn, session.older.slice(1)));
      return turn.ask({ name: 'users.getMe', as: asPerson(turn.project, session) });
    },
  },
  'sign out': {
    weight: 3,
    run: async (turn) => {
      const as = asPerson(turn.project, anySession(turn));
      const ended = await turn.ask({ name: 'sessions.signOut', as });
      if (chance(turn, 0.5)) return ended;
      return turn.ask({ name: 'users.getMe', as });
    },
  },
  'end a session': {
    weight: 1,
    run: (turn) => {
      const { uid, session_id } = anySession(turn);
      const byPerson = chance(turn, 0.5);
      return turn.ask({
        name: 'sessions.end',
        as: byPerson ? personOf(turn, uid) : backend(turn),
        params: { session_id },
        ...(!byPerson && { query: { user_id: uid } }),
      });
    },
  },
  'end every session': {
    weight: 0.7,
    run: (turn) => {
      const { uid } = anySession(turn);
      const byPerson = chance(turn, 0.5);
      return turn.ask({
        name: 'sessions.endAll',
        as: byPerson ? personOf(turn, uid) : backend(turn),
        ...(!byPerson && { query: { user_id: uid } }),
      });
    },
  },
  // A session that has ended must not write.
  'sign out while writing': {
    weight: 1,
    run: async (turn) => {
      const { uid } = anySession(turn);
      const as = asPerson(turn.project, sessionOf(turn, uid));
      const write = (): Promise<unknown> =>
        turn.ask({
          name: 'users.update',
          as,
          params: { uid },
          body: { display_name: `n${turn.next()}` },
        });
      await Promise.all([turn.ask({ name: 'sessions.signOut', as }), write()]);
      return write();
    },
  },
};
