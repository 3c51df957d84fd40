import { createElement, type FunctionComponent, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../client/api-error.ts';
import type { Auth } from '../../../client/auth.ts';
import { type CookieAuth, createCookieAuth } from '../../../client/cookie-session.ts';
import { unlessGone } from '../../../client/react/unless-gone.ts';
import {
  AcceptInvitation,
  MemberTable,
  UserButton,
  useActiveWorkspace,
  WorkspaceSwitcher,
} from '../../../client/react.ts';
import { openBrowser, startBackend } from '../../support/cookie-browser.ts';
import { signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';
import { reactScene } from './scene.ts';

const world = await startWorld();
const { project, project_id, code, mailed, signInByCode } = await signInProject(world);
const scene = await reactScene(world.url);
const { page } = scene;
let line: typeof fetch = fetch;
let number = 0;

const newEmail = () => `mary${(number += 1)}@react.example.com`;
/** A browser; with an address, its user is signed in. */
async function open(email?: string): Promise<Auth> {
  const auth = scene.open(project_id, { fetch: (...call) => line(...call) });
  if (email !== undefined) await auth.signIn.code(await code(email));
  return auth;
}
beforeEach(() => {
  line = fetch;
});
const show = (auth: Auth | CookieAuth, component: FunctionComponent) =>
  scene.show(auth, createElement(component));

/** Invites a user, who opens the link. */
async function invite() {
  const owner = await signInByCode(newEmail());
  const workspace = await world.workspace({ owner });
  const person = await signInByCode(newEmail());
  const { link } = await world.invited(workspace, 'member', person);
  // Sends the invitation now, before the mail with the code.
  await world.drainStream();
  const { search, hash } = new URL(link);
  // A path that begins with two slashes would be another host, if it were alone.
  page.window.history.replaceState(null, '', `http://localhost:5173//join/${search}${hash}`);
  return { person, workspace, search, hash };
}

test('after the sign-in an invitation is accepted with a click, and its token leaves the address', async () => {
  const { person, workspace, search, hash } = await invite();
  const accepted: string[] = [];
  const onAccepted = (member: { workspace_id: string }) => accepted.push(member.workspace_id);
  const { expectText, click, text, submit } = await show(await open(), () =>
    createElement(AcceptInvitation, { onAccepted }),
  );
  await expectText('E-mail');
  expect(page.window.location.href).toBe(`http://localhost:5173//join/${search}`);
  expect(hash).toMatch(/^#token=/);
  await submit({ 'E-mail': person.email }, 'Send me a code', 'We have sent');
  await submit(
    { Code: await mailed(person.email) },
    'Sign in',
    `You are signed in as ${person.email}`,
  );
  expect(text()).not.toContain('joined');
  await click('Accept the invitation', 'You have joined');
  expect(accepted).toEqual([workspace.workspace_id]);
});

test('a reload keeps the invitation until it is accepted, and the history state of the application', async () => {
  const { history, location } = page.window;
  const { person, search } = await invite();
  const auth = await open();
  await auth.signIn.code(await code(person.email));
  history.replaceState({ key: 'of a router' }, '', location.href);
  const join = () => createElement(AcceptInvitation);
  const first = await show(auth, join);
  await first.expectText('Accept the invitation');
  await first.close();
  expect(location.href).toBe(`http://localhost:5173//join/${search}`);
  expect(history.state).toMatchObject({ key: 'of a router' });
  // The application may have a form around it.
  const onSubmit = vi.fn<() => void>();
  const { expectText, click, close } = await show(auth, () =>
    createElement('form', { onSubmit }, join()),
  );
  await expectText('Accept the invitation');
  await click('Accept the invitation', 'You have joined');
  await close();
  expect(onSubmit).not.toHaveBeenCalled();
  expect(JSON.stringify(history.state)).toBe('{"key":"of a router"}');
  const after = await show(auth, join);
  await after.expectText('needs the link');
});

test('an invitation for another user shows a message, and a way to use another account', async () => {
  await invite();
  const { expectText, click } = await show(await open(newEmail()), () =>
    createElement(AcceptInvitation),
  );
  await expectText('Accept');
  await click('Accept the invitation', 'is for another account');
  await click('Use another account', 'Send me a code');
});

test('without a link the page has no invitation to accept', async () => {
  page.window.history.replaceState(null, '', '/join');
  const { expectText, text } = await show(await open(newEmail()), () =>
    createElement(AcceptInvitation),
  );
  await expectText('needs the link');
  expect(text()).not.toContain('Accept');
});

test('workspaces are switched by name, which is rendered as text', async () => {
  const email = newEmail();
  const owner = await signInByCode(email);
  const first = await world.workspace({ owner, name: 'Engines' });
  const second = await world.workspace({ owner, name: '<b>Looms</b>' });
  const chosen: string[] = [];
  const { expectText, enter, named, element } = await show(await open(email), () => {
    const [value, setValue] = useState<string>();
    const onChange = (id: string, { name }: { name: string }) => {
      chosen.push(name);
      setValue(id);
    };
    return createElement(WorkspaceSwitcher, { value, onChange });
  });
  await expectText('<b>Looms</b>');
  expect(named('Workspace').getAttribute('data-part')).toBe('select');
  await enter('Workspace', second.workspace_id);
  await enter('Workspace', first.workspace_id);
  expect(chosen).toEqual(['<b>Looms</b>', 'Engines']);
  expect(element.querySelector('b')).toBeNull();
});

test('a selected workspace is shown until the switch completes, and a refusal shows the reason', async () => {
  const email = newEmail();
  const owner = await signInByCode(email);
  const { workspace_id } = await world.workspace({ owner, name: 'Engines' });
  const { workspace_id: lost } = await world.workspace({ owner, name: 'Looms' });
  const auth = await open(email);
  const { expectText, enter, named, text } = await show(auth, () => {
    const { data, select } = useActiveWorkspace();
    return createElement(WorkspaceSwitcher, {
      value: data?.workspace_id ?? undefined,
      onChange: select,
    });
  });
  await expectText('Looms');
  const value = () => (named('Workspace') as unknown as { value: string }).value;
  await enter('Workspace', workspace_id);
  await expect.poll(() => named('Workspace').getAttribute('aria-disabled')).toBeNull();
  expect(value()).toBe(workspace_id);
  await world.as(owner).workspaces.delete({ workspace_id: lost });
  const slow = Promise.withResolvers<void>();
  line = async (...call) => {
    await slow.promise;
    return fetch(...call);
  };
  await enter('Workspace', lost);
  expect([value(), named('Workspace').getAttribute('aria-disabled')]).toEqual([lost, 'true']);
  slow.resolve();
  await expectText('no such thing');
  expect([value(), named('Workspace').getAttribute('aria-disabled')]).toEqual([workspace_id, null]);
  await expect.poll(text).not.toContain('Looms');
  // The next to sign in has chosen nothing.
  await auth.signOut();
  await auth.signIn.code(await code(email));
  await expectText('Looms|Engines');
  expect(text()).not.toContain('no such thing');
});

test('a user in no workspace sees a message, and a failure can be retried', async () => {
  line = (to, init) =>
    String(to).includes('/workspaces') ? Promise.reject(new Error('cut')) : fetch(to, init);
  const { expectText, click } = await show(await open(newEmail()), () =>
    createElement(WorkspaceSwitcher, { value: undefined, onChange: () => {} }),
  );
  await expectText('did not work');
  line = fetch;
  await click('Try again', 'in no workspace yet');
});

test('members are shown page by page, and their roles can be changed', async () => {
  const email = newEmail();
  const owner = await signInByCode(email);
  const workspace = await world.workspace({ owner });
  const { workspace_id: workspaceId } = workspace;
  const member = await world.member(workspace, 'member', await signInByCode(newEmail()));
  await world.member(workspace, 'admin', await signInByCode(newEmail()));
  const { expectText, click, enter, element, named } = await show(await open(email), () =>
    createElement(MemberTable, { workspaceId, limit: 2, canChangeRoles: true }),
  );
  const emails = () =>
    [...element.querySelectorAll('tbody tr')].map(({ children }) => children[1]?.textContent);
  await expectText('3 members');
  const first = emails();
  expect(first).toHaveLength(2);
  await click('Next');
  await expect.poll(() => emails().length).toBe(1);
  const last = emails();
  expect(new Set([...first, ...last]).size).toBe(3);
  expect(named('Next').getAttribute('aria-disabled')).toBe('true');
  await click('Previous');
  await expect.poll(emails).toEqual(first);
  if (!first.includes(member.email)) await click('Next');
  await expect.poll(emails).toContain(member.email);
  const role = `Role of ${member.user.display_name || member.email}`;
  await expect.poll(() => element.querySelectorAll('select').length).toBeGreaterThan(0);
  const slow = Promise.withResolvers<void>();
  line = async (...call) => {
    await slow.promise;
    return fetch(...call);
  };
  await enter(role, 'admin');
  const choice = () => {
    const select = named(role);
    return [(select as unknown as { value: string }).value, select.getAttribute('aria-disabled')];
  };
  expect(choice()).toEqual(['admin', 'true']);
  slow.resolve();
  const roleNow = async () => {
    const path = `/workspaces/${workspaceId}/users/${member.uid}`;
    return (await world.call<{ role: string }>('GET', path, project.basic)).body.role;
  };
  await expect.poll(roleNow).toBe('admin');
  await expect.poll(choice).toEqual(['admin', null]);
  // Removed elsewhere, they leave the list.
  await world.as(owner).members.remove({ workspace_id: workspaceId, user_id: member.uid });
  await enter(role, 'member');
  await expectText('no such thing.*2 members');
  expect(emails()).not.toContain(member.email);
});

test('somebody without a name and an e-mail is called by the id', async () => {
  const email = newEmail();
  const owner = await signInByCode(email);
  const { workspace_id: workspaceId } = await world.workspace({ owner });
  line = async (...call) => {
    const answer = await fetch(...call);
    const text = (await answer.text()).replaceAll(`"email":"${email}"`, '"email":""');
    return new Response(text || null, answer);
  };
  const { expectText, element, named } = await show(await open(email), () => [
    createElement(UserButton, { key: 'user' }),
    createElement(MemberTable, { key: 'members', workspaceId }),
  ]);
  await expectText('1 member');
  expect(named(`Account of ${owner.uid}`).textContent).toBe(owner.uid);
  expect(element.querySelector('tbody td')?.textContent).toBe(owner.uid);
});

test('a refused change of a role shows a message, and the old role again', async () => {
  const workspace = await world.workspace({ owner: await signInByCode(newEmail()) });
  const { workspace_id: workspaceId } = workspace;
  const me = await world.member(workspace, 'member', await signInByCode(newEmail()));
  const admin = await world.member(workspace, 'admin', await signInByCode(newEmail()));
  const { expectText, enter, named, element } = await show(await open(me.email), () =>
    createElement(MemberTable, { workspaceId, canChangeRoles: true }),
  );
  await expectText('3 members');
  const roleOf = (member: typeof admin) => `Role of ${member.user.display_name || member.email}`;
  const role = roleOf(admin);
  await expect.poll(() => element.querySelectorAll('select').length).toBe(2);
  const choices = [...element.querySelectorAll('select')].map((each) =>
    each.getAttribute('aria-label'),
  );
  // The owner has no role selection.
  expect(new Set(choices)).toEqual(new Set([roleOf(me), role]));
  await enter(role, 'member');
  await expectText('You are not allowed to do this');
  expect((named(role) as unknown as { value: string }).value).toBe('admin');
});

test('the account menu opens, closes, and signs out everywhere', async () => {
  const email = newEmail();
  const { bearer } = await signInByCode(email);
  const { expectText, click, press, named, text } = await show(await open(email), () =>
    createElement(UserButton),
  );
  await expectText(email);
  const button = `Account of ${email}`;
  await click(button);
  expect(named(button).getAttribute('aria-expanded')).toBe('true');
  await press(button, 'Escape');
  expect(named(button).getAttribute('aria-expanded')).toBe('false');
  expect(text()).not.toContain('Sign out');
  await click(button);
  await click('Sign out everywhere', '^$');
  const elsewhere = async () => (await world.call('GET', '/users/me', bearer)).status;
  await expect.poll(elsewhere).toBe(401);
});

test('a list is asked for once where the backend of the session was down at first', async () => {
  const lists: string[] = [];
  const user = { uid: 'u', email: newEmail() };
  let failures = 6;
  const auth = createCookieAuth({
    ...{ tabs: false, url: world.url },
    fetch: async (to) => {
      if (failures-- > 0) return new Response(null, { status: 503 });
      if (!String(to).startsWith(world.url))
        return Response.json({
          csrf_token: 'c',
          access_token: 't',
          expires_in: 600,
          ...user,
          user,
        });
      lists.push(String(to));
      return Response.json({ result: [] });
    },
  });
  const { expectText } = await show(auth, () =>
    createElement(WorkspaceSwitcher, { value: undefined, onChange() {} }),
  );
  await expectText('You are in no workspace');
  // Milliseconds, enough for a second request.
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(lists).toHaveLength(1);
  auth.close();
});

test('a sign-out that could not end the cookie shows a message, and the user stays', async () => {
  const backend = await startBackend({ url: world.url, projectId: project_id });
  const browser = openBrowser(backend);
  let isAway = false;
  const auth = createCookieAuth({
    url: world.url,
    fetch: (...call) => (isAway ? Promise.reject(new TypeError('cut')) : browser.browse(...call)),
  });
  const email = newEmail();
  await auth.signIn.code(await code(email));
  const { expectText, click } = await show(auth, () => createElement(UserButton));
  await expectText(email);
  isAway = true;
  await click(`Account of ${email}`);
  await click('Sign out', 'Are you online');
  await expectText(email);
  auth.close();
});

test('a sign-out that the service did not confirm shows a message', async () => {
  const { expectText, click } = await show(await open(newEmail()), () => createElement(UserButton));
  await expectText('@');
  line = () => Promise.reject(new Error('cut'));
  await click(`Account of mary${number}@react.example.com`);
  await click('Sign out', 'but maybe not elsewhere');
});

test('every component has its name, which component stacks and DevTools show', async () => {
  const entry: Record<string, unknown> = await import('../../../client/react.ts');
  const components = Object.keys(entry).filter((name) => /^[A-Z]/.test(name));
  expect(components).toContain('UserProfile');
  for (const name of components) expect(entry[name]).toHaveProperty('name', name);
});

test('the 404 of a proxy says nothing of what was ended, unlike that of the service', () => {
  const answers = (body: unknown) => () => unlessGone(new ApiError(404, new Headers(), body));
  expect(answers('<h1>Not Found</h1>')).toThrow(ApiError);
  expect(answers({ code: 'not_found', request_id: 'req-1' })).not.toThrow();
});
