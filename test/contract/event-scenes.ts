import { vi } from 'vitest';
import type { Operation } from '#shared/contract/api.ts';
import { keys } from '#shared/db/keys.ts';
import { limits } from '#shared/model/limits.ts';
import { newAuthenticator } from '../support/authenticator.ts';
import type { Call } from '../support/call.ts';
import { cookieName, cookiesSet, withCookie } from '../support/hosted-pages.ts';
import { oauthScene, type Tokens } from '../support/oauth.ts';
import { page, passkeyProject } from '../support/passkeys.ts';
import type { Person, World } from '../support/world.ts';

const call = (method: string, path: string, auth: string, body?: object): Call => ({
  method,
  path,
  auth,
  body,
});
const refresh = ({ refresh_token, access_token }: Person): Call =>
  call('POST', '/sessions/token/refresh', `Bearer ${refresh_token}`, { accessToken: access_token });

/** Calls that cause the events that the budget cases do not. */
export function eventScenes(world: World): Partial<Record<Operation, (() => Promise<Call>)[]>> {
  const { basic } = world.project;

  /** An admin to whom ownership is offered. */
  async function offered() {
    const workspace = await world.workspace();
    const { uid } = await world.member(workspace, 'admin');
    const path = `/workspaces/${workspace.workspace_id}`;
    await world.call(call('POST', `${path}/ownership`, workspace.owner.bearer, { user_id: uid }));
    return { uid, path: `${path}/users/${uid}` };
  }

  /** A full workspace with one expired invitation, whose place can be reused. */
  async function crowded() {
    const { workspace_id, owner } = await world.workspace();
    const path = `/workspaces/${workspace_id}`;
    const guest = { email: `guest-of-${workspace_id}@example.com`, role: 'member', expires_in: 60 };
    await world.call(call('POST', `${path}/invitations`, basic, guest));
    const key = keys.workspace(workspace_id);
    await world.table.update(key, { pending_member_count: limits.invitationsPerWorkspace });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    return { owner, path };
  }

  /** A user with an invitation to an e-mail that they had before. */
  async function moved() {
    const workspace = await world.workspace();
    const { uid } = await world.invited(workspace);
    const email = `moved-${uid}@example.com`;
    await world.as(world.project).users.update({ uid, email, email_verified: true });
    return { uid, email, path: `/workspaces/${workspace.workspace_id}`, owner: workspace.owner };
  }

  return {
    'passkeys.signIn': [
      async () => {
        const { add, signInBy, request, project, project_id } = await passkeyProject(world);
        const key = newAuthenticator(page, { counts: true });
        await add(await world.user({ project, verified: true }), key);
        await signInBy(key);
        key.rewind(0);
        const body = { project_id, credential: key.get(await request()) };
        return { method: 'POST', path: '/sessions/passkey', body };
      },
    ],
    'sessions.reauthenticate': [
      async () => {
        const { add, signInBy, request, project } = await passkeyProject(world);
        const key = newAuthenticator(page, { counts: true });
        const person = await world.user({ project, verified: true });
        await add(person, key);
        await signInBy(key);
        key.rewind(0);
        const body = { passkey: key.get(await request()) };
        return { method: 'POST', path: '/sessions/reauthenticate', auth: person.bearer, body };
      },
    ],
    'sessions.refresh': [
      async () => {
        const first = await world.user();
        await world.call(refresh((await world.call(refresh(first))).body));
        return refresh(first);
      },
    ],
    'browserSessions.refresh': [
      async () => {
        const { project, project_id, visitor } = await oauthScene(world);
        const path = `/pages/${project_id}/session/token`;
        const renew = (token: string): Call => ({
          ...{ method: 'POST', path, headers: withCookie(project, token) },
        });
        const first = await visitor();
        let token = first.refresh_token;
        for (let i = 0; i < 2; i += 1) {
          const { [cookieName(project)]: set } = cookiesSet(await world.call(renew(token)));
          token = set?.value ?? '';
        }
        return renew(first.refresh_token);
      },
    ],
    'oauth.token': [
      async () => {
        const { visitor, tokens, refresh: renew, refreshing, web } = await oauthScene(world);
        const first = await tokens(await visitor());
        const { body } = await renew(web, first.refresh_token);
        await renew(web, (body as Tokens).refresh_token);
        return refreshing(web, first.refresh_token);
      },
    ],
    'users.update': [
      async () => {
        const { uid } = await world.user();
        const email = `new-of-${uid}@example.com`;
        return call('PUT', `/users/${uid}`, basic, { email, email_verified: true });
      },
    ],
    'users.delete': [
      async () => call('DELETE', `/users/${(await offered()).uid}`, basic),
      async () => {
        const { uid } = await world.invited(await world.workspace());
        return call('DELETE', `/users/${uid}`, basic);
      },
      async () => {
        const asking = await world.user({ verified: true });
        const { workspace_id } = await world.workspace();
        const path = `/workspaces/${workspace_id}`;
        await world.call(
          call('PUT', `${path}/allowed_domains`, basic, { allowed_domains: ['example.com'] }),
        );
        await world.call(call('POST', `${path}/join_requests`, asking.bearer, {}));
        return call('DELETE', `/users/${asking.uid}`, basic);
      },
    ],
    'members.add': [
      async () => {
        const { owner, path } = await crowded();
        const { uid } = await world.user({ verified: true });
        return call('POST', `${path}/users`, owner.bearer, { user_id: uid, role: 'member' });
      },
      async () => {
        const { uid, path } = await offered();
        const body = { user_id: uid, role: 'admin', suspended: true };
        return call('POST', path.replace(`/${uid}`, ''), basic, body);
      },
      async () => {
        const { owner, uid, path } = await moved();
        return call('POST', `${path}/users`, owner.bearer, { user_id: uid, role: 'member' });
      },
    ],
    'members.remove': [async () => call('DELETE', (await offered()).path, basic)],
    'members.suspend': [
      async () => call('PUT', `${(await offered()).path}/suspension`, basic, { suspended: true }),
      async () => {
        const path = `${(await offered()).path}/suspension`;
        await world.call(call('PUT', path, basic, { suspended: true }));
        return call('PUT', path, basic, { suspended: false });
      },
    ],
    'members.changeRole': [
      async () => call('PUT', `${(await offered()).path}/role`, basic, { role: 'member' }),
    ],
    'invitations.create': [
      async () => {
        const { path } = await crowded();
        const body = { email: 'one-more@example.com', role: 'member' };
        return call('POST', `${path}/invitations`, basic, body);
      },
      async () => {
        const { email, path } = await moved();
        return call('POST', `${path}/invitations`, basic, { email, role: 'member' });
      },
    ],
  };
}
