import type { Operation } from '../../shared/contract/api.ts';
import { mix } from '../load-mix.ts';
import { type Demand, demandOf, type Touch } from './demand.ts';

/** The cases of test/budgets.json that a step of bench/load-mix.ts runs one after another. */
export const requestsOf: Record<string, [name: Operation, label: string][]> = {
  'who am I': [['users.getMe', 'Bearer']],
  'workspaces that I joined': [['workspaces.listJoined', 'Bearer, 5 workspaces']],
  workspace: [['workspaces.get', 'Bearer']],
  'members, 20': [['members.list', 'Bearer, 20 members']],
  'members by name': [['members.list', 'Basic, 20 members, found by a name']],
  'invitations of mine': [
    ['workspaces.listInvited', 'Bearer, 1 invitation, 1 of the domain, 1 request'],
  ],
  sessions: [['sessions.list', 'Bearer, 5 sessions']],
  'audit log, 20': [['events.listOfWorkspace', 'Bearer, 20 events']],
  'user by e-mail': [['users.create', 'Basic, known e-mail']],
  'users by uid': [['users.search', 'Basic, 20 users']],
  'workspaces of a user': [['workspaces.list', 'Basic, 5 workspaces']],
  'feed, 20': [['events.list', 'Basic, 20 events']],
  'change my profile': [
    ['users.update', 'Bearer'],
    ['users.getMe', 'Bearer'],
  ],
  'change my workspace': [
    ['workspaces.update', 'Bearer'],
    ['workspaces.get', 'Bearer'],
  ],
  refresh: [['sessions.refresh', 'Refresh']],
  'sign out and in': [
    ['sessions.signOut', 'Bearer'],
    ['users.getMe', 'Bearer'],
    ['passwords.signIn', 'Anyone, password'],
  ],
  'invite and revoke': [
    ['invitations.create', 'Basic, known e-mail, without a mail'],
    ['invitations.end', 'Bearer'],
  ],
  'add, promote and remove': [
    ['members.add', 'Basic'],
    ['members.changeRole', 'Bearer'],
    ['members.remove', 'Bearer'],
  ],
  'make and revoke a join link': [
    ['joinLinks.create', 'Bearer'],
    ['joinLinks.revoke', 'Bearer'],
  ],
  'make and delete a workspace': [
    ['workspaces.create', 'Basic'],
    ['workspaces.delete', 'Bearer'],
    ['workspaces.get', 'Bearer'],
  ],
};

/** One kind of request, its part of all requests, and the background work that follows from it. */
export type Request = {
  name: Operation;
  part: number;
  demand: Demand;
  /** Events that it causes: at most one. */
  events: number;
  /** Recording the event, and the other work of stream.consume. */
  afterwards: Demand[];
  /** Stream records that reach stream.consume, of its writes and of those of the work that follows from them. */
  records: number;
  /** Stream records that stream.sort drops: sessions that start, or are renewed again on the same day. */
  dropped: number;
  /** Partition keys of these records; records of one key arrive together. */
  groups: number;
  /** The log that it reads, or that its event is in. */
  logOwner: 'user' | 'workspace';
};

const changes = ({ demand: { rounds } }: { demand: Demand }): Touch[] =>
  rounds.flat().filter(({ verb }) => ['put', 'update', 'delete'].includes(verb));

/** Kinds whose changes pass the filters of the stream: lib/domains/events.ts. */
const followed = (touch: Touch): boolean =>
  ['user', 'workspace', 'member'].includes(touch.kind) ||
  (['invitation', 'join request'].includes(touch.kind) && touch.verb === 'put');

/** Kinds whose items are created and deleted by counted events: shared/stats/count-events.ts. */
const countedKinds = new Set(['user', 'workspace', 'member', 'invitation', 'session']);

function toRequest(name: Operation, label: string, part: number): Request {
  const demand = demandOf(name, label);
  const touches = changes({ demand });
  const ofWorkspace = touches.some(({ kind }) => kind === 'workspace');
  const events = Number(ofWorkspace || touches.some(({ kind }) => kind === 'user'));
  const isCounted = touches.some(({ kind, verb }) => verb !== 'update' && countedKinds.has(kind));
  const afterwards = [
    ...(events ? [demandOf('stream', isCounted ? 'an event that is counted' : 'an event')] : []),
    ...(events ? [demandOf('webhook delivery', 'an event of a project without webhooks')] : []),
    ...(name === 'users.update'
      ? [demandOf('stream', 'profile of a member of 4 workspaces and owner of 1')]
      : []),
    ...(touches.some(({ kind, verb }) => kind === 'member' && verb !== 'update')
      ? [demandOf('stream', 'a new member, found by one term')]
      : []),
  ];
  const own = touches.filter(followed);
  const later = afterwards.flatMap((each) => changes({ demand: each })).filter(followed);
  // A member item is in the partition of its workspace; the copies of a profile are in one each.
  const keysOfOwn = new Set(own.map(({ kind }) => (kind === 'user' ? 'user' : 'workspace')));
  const copies = later.filter(({ kind }) => kind === 'member').length;
  const records = own.length + later.length;
  return {
    ...{ name, part, demand, events, afterwards, records },
    dropped: touches.filter(({ kind, verb }) => kind === 'session' && verb !== 'delete').length,
    groups: keysOfOwn.size + copies,
    logOwner: ofWorkspace || name === 'events.listOfWorkspace' ? 'workspace' : 'user',
  };
}

/** The requests of bench/load-mix.ts with their parts, which together are 1. */
export const requests: readonly Request[] = (() => {
  const made = mix.flatMap(({ name, often }) =>
    (requestsOf[name] ?? []).map(([operation, label]) => ({ operation, label, often })),
  );
  const total = made.reduce((sum, { often }) => sum + often, 0);
  return made.map(({ operation, label, often }) => toRequest(operation, label, often / total));
})();

/** The number of each owner at a rate of requests, and how unevenly requests spread over them. */
export type Population = Record<'projects' | 'users' | 'workspaces', number>;
export const exponents = { projects: 1, workspaces: 1, users: 0.5 } as const;

/** A user makes 60 requests a day; a project has 1,000 users, and ten users a workspace, on average. */
export function populationAt(rate: number): Population {
  const users = Math.max(1, (rate * 86_400) / 60);
  return { users, projects: Math.max(1, users / 1_000), workspaces: Math.max(1, users / 10) };
}
