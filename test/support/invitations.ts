import { expect } from 'vitest';
import type { Mail } from '../../local/aws/ses.ts';
import { keys } from '../../shared/db/keys.ts';
import type { Actor } from '../../shared/model/events.ts';
import type { Invitation } from '../../shared/model/workspace-resources.ts';
import type { Answer } from './call.ts';
import type { Caller } from './routes.ts';
import type { World } from './world.ts';

type Item = Record<string, unknown>;
type Page<T> = { total: number; count: number; result: T[] };

/** The calls of tests about invitations and members, by default as the backend. */
export function invitationCalls(world: World, { basic, project_id } = world.project) {
  const pathOf = (workspace_id: string) => `/workspaces/${workspace_id}/invitations`;
  const itemOf = (workspace_id: string) => world.table.get(keys.workspace(workspace_id));

  /** The backend as an actor. */
  async function backend(): Promise<Actor> {
    const { secrets } = (await world.table.get(keys.project(project_id))) as { secrets: Item[] };
    return { kind: 'key', id: String(secrets[0]?.['secret_id']) };
  }

  return {
    pathOf,
    invite: <T = Answer['body']>(
      workspace_id: string,
      body: object,
      auth: Caller = basic,
    ): Promise<Answer<T>> => world.as(auth).invitations.create({ workspace_id, ...body }),
    list: (workspace_id: string, query = '', auth = basic) =>
      world.call<Page<Invitation>>('GET', `${pathOf(workspace_id)}?${query}`, auth),
    resend: (workspace_id: string, user_id: string, auth: Caller = basic) =>
      world.as(auth).invitations.resend({ workspace_id, user_id }),
    end: (workspace_id: string, user_id: string, auth: Caller = basic) =>
      world.as(auth).invitations.end({ workspace_id, user_id }),
    accept: (token: string, auth: Caller = basic) => world.as(auth).invitations.accept({ token }),
    join: (workspace_id: string, user_id: string, auth: Caller = basic) =>
      world.as(auth).members.join({ workspace_id, user_id }),

    /** All mails to an address, newest first. */
    async mailsTo(email: string): Promise<Mail[]> {
      await world.drainStream();
      return world.mails().filter(({ to }) => to === email);
    },

    /** The counters of a workspace, after checking them against its items. */
    async countsOf(workspace_id: string): Promise<{ members: number; invitations: number }> {
      const items = await world.table.query(keys.workspace(workspace_id).pk);
      const uids = (prefix: string) =>
        items.filter(({ sk }) => String(sk).startsWith(prefix)).map(({ user_id }) => user_id);
      const [members, invited] = [uids('MEMBER#'), uids('INVITE#')];
      expect(members.filter((uid) => invited.includes(uid))).toEqual([]);
      expect(items.find(({ sk }) => sk === 'WS')).toMatchObject({
        total_member_count: members.length,
        pending_member_count: invited.length,
      });
      return { members: members.length, invitations: invited.length };
    },

    /** The number of the user's memberships, from the user item. */
    async workspacesOf(uid: string): Promise<unknown> {
      return (await world.table.get(keys.user(uid)))?.['workspace_count'] ?? 0;
    },

    /** The events of the last write to a workspace. */
    eventsOf: async (workspace_id: string) => (await itemOf(workspace_id))?.['events'],

    backend,

    /** The credentials and actors that may manage a workspace: backend, owner, and a new admin. */
    async managersOf(workspace: Parameters<World['member']>[0]): Promise<[string, Actor][]> {
      const { owner } = workspace;
      const admin = await world.member(workspace, 'admin');
      return [
        [basic, await backend()],
        [owner.bearer, actorOf(owner)],
        [admin.bearer, actorOf(admin)],
      ];
    },
  };
}

/** A user as an actor. */
export const actorOf = ({ uid }: { uid: string }): Actor => ({ kind: 'user', id: uid });

/** The token in a link or in the text of a mail. */
export function tokenIn(text: string | undefined): string {
  const [, token] = /#token=([\w-]{43}\.[\w-]{43})/.exec(text ?? '') ?? [];
  if (token === undefined) throw new Error(`There is no token in: ${text}`);
  return token;
}
