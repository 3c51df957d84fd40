import { isDeepStrictEqual } from 'node:util';
import { type Key, keys } from '#shared/db/keys.ts';
import type { Invitation } from '#shared/model/workspace-resources.ts';
import { newJoinToken } from '#shared/workspaces/joining/join-token.ts';
import { unknownId, unknownWorkspaceId } from '../support/expectations.ts';
import { sessionIdOf } from '../support/started.ts';
import type { Person, World } from '../support/world.ts';
import type { CallerName, Ids, Reach } from './authorization.ts';

/** Domains of the scene's workspaces: users at the first may request to join, the second is only verified. */
export const domains = { suggested: 'suggested.example', proven: 'proven.example' } as const;

/**
 * Two equal projects, each with a workspace, a deleted one, and users in every relation to them. `changed` and
 * `restore` refer to the state of the table when the scene was ready.
 */
export async function makeScene(world: World) {
  const home = await makeHome(world);
  const away = await makeHome(world);
  const inOwn = { workspace_id: home.live.workspace_id };
  const reached: Record<Reach, Ids> = {
    own: home.live,
    foreign: away.live,
    missing,
    deleted: home.deleted,
    stray: { ...away.live, ...inOwn },
    crossed: { ...home.deleted, ...inOwn },
    lost: { ...missing, ...inOwn },
  };
  const { project, owner } = home;
  const signedOut = await world.session(owner.uid, project);
  await world.call('DELETE', '/sessions/current', signedOut.bearer);
  const refreshing = await world.session(owner.uid, project);
  home.live.access_token = refreshing.access_token;
  const disabled = await world.member(home.workspace, 'admin');
  await world.call('PUT', `/users/${disabled.uid}`, project.basic, { disabled: true });
  const credentials: Record<CallerName, Credential> = {
    nobody: { auth: undefined, self: unknownId },
    'signed out': as(signedOut),
    'deleted user': as(home.gone),
    'disabled user': as(disabled),
    'ended key': { auth: home.keys.ended, self: unknownId },
    'refresh token': { ...as(refreshing), auth: `Bearer ${refreshing.refresh_token}` },
    project: { auth: project.basic, self: home.live.newcomer },
    ...home.callers,
    'other project': { auth: away.project.basic, self: away.live.newcomer },
    foreigner: as(away.owner),
    'admin key': { auth: home.keys.admin, self: unknownId },
    'member key': { auth: home.keys.member, self: unknownId },
    'foreign key': { auth: away.keys.admin, self: unknownId },
  };
  return { reached, credentials, ...(await picture(world)) };
}

type Credential = { auth: string | undefined; self: string };
const as = ({ bearer, uid }: Person): Credential => ({ auth: bearer, self: uid });

const missing: Ids = {
  workspace_id: unknownWorkspaceId,
  ...{ uid: unknownId, owner: unknownId, fellow: unknownId, admin: unknownId, guest: unknownId },
  ...{ asker: unknownId, newcomer: unknownId, session_id: unknownId },
  email: 'nobody@missing.example',
  link_id: `lnk-${unknownId}`,
  ...{ key_id: `key-${unknownId}`, user_key_id: `key-${unknownId}` },
  join_token: newJoinToken(unknownWorkspaceId, `lnk-${unknownId}`).token,
  invitation_token: `${'A'.repeat(43)}.${'A'.repeat(43)}`,
  webhook_id: `whk-${unknownId}`,
  access_token: 'x',
};

const names = [
  ...(['owner', 'admin', 'heir', 'member', 'fellow', 'suspended', 'left', 'removed'] as const),
  ...(['invited', 'guest', 'asker', 'newcomer', 'stranger', 'gone'] as const),
] as const;
let homes = 0;

type ApiKey = { key_id: string; key: string };

/** A project of the scene. */
async function makeHome(world: World) {
  homes += 1;
  // Without creation by GET /users/{uid}, which would create a missing user.
  const project = await world.newProject({ create_users_on_get: false, workspace_roles: true });
  const asProject = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await world.call<T>({ method, path, auth: project.basic, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const people = {} as Record<(typeof names)[number], Person>;
  // Both owners have the same e-mail, which must not matter across projects.
  const emails: Record<string, string> = {
    ...{ asker: `asker${homes}@${domains.suggested}`, owner: 'owner@both.example' },
  };
  for (const name of names) {
    const email = emails[name];
    people[name] = await world.user({ project, verified: true, ...(email && { email }) });
  }
  const { owner, admin, heir, member, fellow, suspended, left, removed, invited, gone } = people;
  const { guest, asker, newcomer, stranger } = people;
  // With the names in the contract's samples.
  await asProject('PUT', '/permissions/invoice:read', {});
  await asProject('PUT', '/roles/accountant', { permissions: [] });
  // An owner of another workspace.
  await world.workspace({ owner: stranger });

  const invite = (path: string, { email }: Person) => {
    const body = { email, role: 'admin', send_mail: false };
    return asProject<Invitation>('POST', `${path}/invitations`, body);
  };

  async function makeWorkspace(name: string) {
    const workspace = await world.workspace({ owner, name });
    const { workspace_id } = workspace;
    const path = `/workspaces/${workspace_id}`;
    for (const each of [admin, heir, gone, suspended, left, removed])
      await world.member(workspace, 'admin', each);
    for (const each of [member, fellow]) await world.member(workspace, 'member', each);
    await asProject('PUT', `${path}/users/${suspended.uid}/suspension`, { suspended: true });
    await asProject('DELETE', `${path}/users/${removed.uid}`);
    await world.call('DELETE', `${path}/users/${left.uid}`, left.bearer);
    // Without mails, because of the daily limit on invitation mails.
    const [invitation] = [await invite(path, invited), await invite(path, guest)];
    await asProject('PUT', `${path}/allowed_domains/${domains.suggested}`, { mode: 'suggest' });
    await world.call('POST', `${path}/join_requests`, asker.bearer, {});
    await asProject('PUT', `${path}/roles/ws-editor`, { permissions: [] });
    const key = await asProject<ApiKey>('POST', `${path}/api_keys`, { name: 'CI' });
    type Link = { link_id: string; token: string };
    const link = await asProject<Link>('POST', `${path}/join_links`, {});
    await world.call('POST', `${path}/ownership`, owner.bearer, { user_id: heir.uid });
    await world.table.update(keys.workspace(workspace_id), {
      proven_domains: { [domains.proven]: workspace.created_at },
    });
    return { workspace, path, invitation, link, key };
  }

  async function makeIds(name: string, subject: Person) {
    const { workspace, path, invitation, link, key } = await makeWorkspace(name);
    const own = { method: 'POST', path: '/users/me/api_keys', auth: subject.bearer };
    const { body: userKey } = await world.call<ApiKey>({ ...own, body: { name: 'CI' } });
    const url = { url: 'https://example.com/' };
    const webhook = await asProject<{ webhook_id: string }>('POST', '/webhooks', url);
    const ids: Ids = {
      workspace_id: workspace.workspace_id,
      uid: subject.uid,
      session_id: sessionIdOf(subject),
      access_token: subject.access_token,
      owner: owner.uid,
      fellow: fellow.uid,
      admin: admin.uid,
      guest: guest.uid,
      asker: asker.uid,
      newcomer: newcomer.uid,
      email: guest.email,
      link_id: link.link_id,
      ...{ key_id: key.key_id, user_key_id: userKey.key_id },
      join_token: link.token,
      invitation_token: invitation.link?.split('#token=')[1] ?? '',
      webhook_id: webhook.webhook_id,
    };
    return { workspace, path, ids };
  }

  const { workspace, ids: live } = await makeIds('Live', member);
  const { path, ids: deleted } = await makeIds('Deleted', gone);
  /** A key of a workspace, used once, because the last use is recorded once a day. */
  const useKey = async (at: string, role: string): Promise<string> => {
    const { key } = await asProject<ApiKey>('POST', `${at}/api_keys`, { name: 'CI', role });
    const auth = `Bearer ${key}`;
    await world.call('GET', at, auth);
    return auth;
  };
  const ofLive = `/workspaces/${live.workspace_id}`;
  const keysOf = {
    admin: await useKey(ofLive, 'admin'),
    member: await useKey(ofLive, 'member'),
    ended: await useKey(path, 'admin'),
  };
  await asProject('DELETE', path);
  await asProject('DELETE', `/webhooks/${deleted.webhook_id}`);
  await asProject('DELETE', `/users/${gone.uid}`);
  const callers = {
    ...{ owner: as(owner), admin: as(admin), heir: as(heir), member: as(member) },
    ...{ suspended: as(suspended), invited: as(invited), asker: as(asker) },
    ...{ left: as(left), removed: as(removed), stranger: as(stranger) },
  };
  return { project, owner, gone, workspace, live, deleted, callers, keys: keysOf };
}

/** The current state of the table, and a function that restores it. */
async function picture(world: World) {
  const { name: TableName, ask, allAttributes } = world.table;
  const read = async () =>
    new Map(
      (await allAttributes()).map((item) => [JSON.stringify([item['pk']?.S, item['sk']?.S]), item]),
    );
  const before = await read();

  /** The keys of changed items. */
  async function changed(): Promise<Key[]> {
    const now = await read();
    return [...new Set([...before.keys(), ...now.keys()])]
      .filter((key) => !isDeepStrictEqual(before.get(key), now.get(key)))
      .map((key) => {
        const [pk, sk] = JSON.parse(key) as [string, string];
        return { pk, sk };
      });
  }

  async function restore(): Promise<void> {
    for (const { pk, sk } of await changed()) {
      const Item = before.get(JSON.stringify([pk, sk]));
      await (Item ? ask('PutItem', { TableName, Item }) : world.table.delete({ pk, sk }));
    }
  }
  return { changed, restore };
}
