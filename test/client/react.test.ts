import { createElement, lazy, Suspense, useState } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Auth } from '../../client/auth.ts';
import { createCookieAuth } from '../../client/cookie-session.ts';
import {
  AuthProvider,
  useActiveWorkspace,
  useCan,
  useMembers,
  useMetadata,
  useSession,
  useUser,
  useWorkspaces,
} from '../../client/react.ts';
import { roleTools } from '../support/roles.ts';
import { signInProject } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';
import { within as around, reactScene } from './react/scene.ts';

const world = await startWorld();
const { project, project_id, code, signInByCode } = await signInProject(world);
const scene = await reactScene(world.url);
const { page } = scene;

/** The paths that this test has requested, and a function that delays or replaces responses. */
let asked: string[] = [];
let gate: (path: string) => Promise<Response | void> | undefined = () => undefined;
let number = 0;

function open(): Auth {
  return scene.open(project_id, {
    fetch: async (to, init) => {
      const { pathname } = new URL(String(to));
      asked.push(pathname);
      const response = await fetch(to, init);
      return (await gate(pathname)) ?? response;
    },
  });
}
async function signIn(auth: Auth, email = `ada${(number += 1)}@react.example.com`) {
  return (await auth.signIn.code(await code(email))).user;
}
beforeEach(() => {
  asked = [];
  statuses = [];
});
// Before the sessions end.
afterEach(() => {
  gate = () => undefined;
});

function Who() {
  const { status, reason } = useSession();
  statuses.push(status);
  return [status, useUser()?.email, reason].filter(Boolean).join(' ');
}
function Members({ of }: { of: string | undefined }) {
  const { data, error, loading } = useMembers(of);
  seen.push(data?.result.map(({ email }) => email).join() ?? '');
  return createElement('p', null, loading ? 'loading' : `${data?.total} ${(error as Error)?.name}`);
}
function Workspaces() {
  const { data, error, refresh } = useWorkspaces();
  const names = data?.map(({ name }) => name).join() ?? 'nothing yet';
  return createElement(
    'button',
    { onClick: refresh },
    `${names || 'none'} ${(error as Error)?.message}`,
  );
}
function Reload({ of }: { of: string }) {
  const { data, error, refresh } = useMembers(of);
  const text = data ? `${data.total} members` : String((error as { code?: string })?.code);
  return createElement('button', { onClick: refresh }, text);
}
/** The session statuses in the order of rendering. */
let statuses: string[] = [];
/** The lists of members in the order of rendering. */
const seen: string[] = [];
const within = (auth: Auth, ...nodes: Parameters<typeof createElement>[0][]) =>
  around(
    auth,
    nodes.map((node, key) => createElement(node, { key })),
  );

test('the screen follows a sign-in, and a sign-out in another tab', async () => {
  const [auth, tab] = [open(), open()];
  const { expectText } = await page.show(within(auth, Who));
  await expectText('signed_out');
  expect([...new Set(statuses)]).toEqual(['loading', 'signed_out']);
  const { email } = await signIn(auth);
  await expectText(`^signed_in ${email}$`);
  await expect.poll(() => tab.session?.user.email).toBe(email);
  await tab.signOut();
  await expectText('^signed_out signed_out$');
});

test('the provider works with the session of a cookie', async () => {
  const refusal = { code: 'unauthenticated', request_id: 'r' };
  const answer = async () => Response.json(refusal, { status: 401 });
  const auth = createCookieAuth({ tabs: false, fetch: answer });
  const node = createElement(AuthProvider, { auth }, createElement(Who));
  const { expectText } = await page.show(node);
  await expectText('^signed_out');
  auth.close();
});

test.each([
  ['after a second', {}, 1, 900],
  ['when the device is online again', { 'retry-after': '30' }, 30, 0],
])(
  'while the backend is down a loading page shows no sign-out, and asks again %s',
  async (_, headers, seconds, least) => {
    let [isDown, lastRequestAt] = [true, 0];
    const user = { uid: 'u', email: 'ada@down.example.com' };
    const token = { access_token: 'token', expires_in: 600, uid: 'u', user };
    const auth = createCookieAuth({
      tabs: false,
      fetch: async (to) => {
        const [from, at] = [lastRequestAt, performance.now()];
        lastRequestAt = at;
        if (isDown) return new Response('<h1>Unavailable</h1>', { status: 503, headers });
        if (String(to).endsWith('/csrf')) {
          expect(at - from).toBeGreaterThan(least);
          return Response.json({ csrf_token: 'c' });
        }
        return Response.json(token);
      },
    });
    const closed = auth.closed as AbortSignal;
    const added = vi.spyOn(closed, 'addEventListener');
    const removed = vi.spyOn(closed, 'removeEventListener');
    const node = createElement(AuthProvider, { auth }, createElement(Who));
    const { expectText, text } = await page.show(node);
    await auth.ready;
    // Milliseconds: the attempts of one request are closer together.
    const quiet = seconds > 1 ? 50 : 700;
    const isQuiet = () => lastRequestAt > 0 && performance.now() - lastRequestAt > quiet;
    await expect.poll(isQuiet, { timeout: 5_000 }).toBe(true);
    expect([text(), statuses.includes('signed_out')]).toEqual(['loading', false]);
    isDown = false;
    if (seconds > 1) page.window.dispatchEvent(new page.window.Event('online'));
    await expectText(`^signed_in ${user.email}`);
    expect(removed.mock.calls).toHaveLength(added.mock.calls.length);
    auth.close();
  },
);

test.each([
  ['between two tries', { 'retry-after': '1' }, 1, 1_100],
  ['between two questions', {}, 6, 50],
])('a session that is closed %s asks its backend no more', async (_, headers, last, quiet) => {
  let requests = 0;
  const auth = createCookieAuth({
    tabs: false,
    fetch: async () => {
      requests += 1;
      if (requests === last) setTimeout(() => auth.close(), 5);
      return new Response(null, { status: 503, headers });
    },
  });
  const { text } = await page.show(createElement(AuthProvider, { auth }, createElement(Who)));
  await expect.poll(() => requests).toBe(last);
  await new Promise((resolve) => setTimeout(resolve, 20));
  page.window.dispatchEvent(new page.window.Event('online'));
  await new Promise((resolve) => setTimeout(resolve, quiet));
  expect([requests, text()]).toEqual([last, 'loading']);
});

test('a session that the service ended is noticed with the next request', async () => {
  const auth = open();
  const { uid } = await signIn(auth);
  const { expectText, click } = await page.show(within(auth, Who, Workspaces));
  await expectText('none undefined$');
  await world.call('DELETE', `/sessions?user_id=${uid}`, project.basic);
  await click('none undefined', '^signed_out unauthenticated');
});

test('a server renders "loading", and the browser hydrates it', async () => {
  const auth = open();
  const { email } = await signIn(auth);
  const all = within(auth, Who, Workspaces);
  const html = renderToString(all);
  expect(html).toMatch(/^loading/);
  expect(asked.filter((path) => path === '/workspaces')).toEqual([]);
  const { expectText } = await page.hydrate(html, all);
  await expectText(`^signed_in ${email}none undefined$`);
});

test('a suspended sibling does not discard state or repeat requests', async () => {
  const auth = open();
  const { email } = await signIn(auth);
  const part = Promise.withResolvers<{ default: () => string }>();
  const Late = lazy(() => part.promise);
  const boundary = (...inside: Parameters<typeof createElement>[0][]) =>
    createElement(Suspense, { fallback: 'waiting ' }, ...inside.map((each) => createElement(each)));
  const node = createElement(AuthProvider, { auth }, boundary(Who, Workspaces, Late));
  const { expectText, text } = await page.show(node);
  // The hooks themselves never suspend: only the lazy component does.
  await expectText('^waiting $');
  part.resolve({ default: () => 'here' });
  await expectText(`^signed_in ${email}none undefinedhere$`);
  expect(asked.filter((path) => path === '/workspaces')).toHaveLength(1);
  await auth.signOut();
  await expectText('^signed_out');
  expect(text()).toContain('here');
});

test('names are rendered as text, never as HTML', async () => {
  const auth = open();
  const user = await signIn(auth);
  const name = '<img src=x onerror=alert(1)>';
  const owner = { ...(await signInByCode(user.email)), project };
  await world.workspace({ owner, name });
  const { element, expectText } = await page.show(within(auth, Workspaces));
  await expectText('<img');
  expect(element.querySelector('img')).toBeNull();
});

test('components that show the same list share one request, also in StrictMode', async () => {
  const auth = open();
  await signIn(auth);
  const { expectText } = await page.show(within(auth, Workspaces, Workspaces));
  await expectText('^none undefinednone undefined$');
  expect(asked.filter((path) => path === '/workspaces')).toHaveLength(1);
});

test('refresh loads a list again, and a failure keeps the previous data', async () => {
  const auth = open();
  const user = await signIn(auth);
  const { expectText, click } = await page.show(within(auth, Workspaces));
  await expectText('^none undefined');
  await world.workspace({ owner: await signInByCode(user.email), name: 'Engines' });
  await click('none undefined', '^Engines undefined');
  gate = () => Promise.reject(new Error('the line is cut'));
  await click('Engines undefined', '^Engines the line is cut');
  // Nor does what a proxy in between says of itself.
  gate = async () => new Response('<h1>Blocked</h1>', { status: 403 });
  await click('Engines the line is cut', '^Engines forbidden: 403');
});

test('a late response for the previous workspace is never shown', async () => {
  const auth = open();
  const owner = await signInByCode((await signIn(auth)).email);
  const [slow, fast] = [await world.workspace({ owner }), await world.workspace({ owner })];
  const other = await world.member(slow);
  let release = () => {};
  gate = (path) =>
    path.includes(slow.workspace_id)
      ? new Promise<void>((resolve) => {
          release = resolve;
        })
      : undefined;
  const list = (of: string) =>
    createElement(AuthProvider, { auth }, createElement(Members, { of }));
  seen.length = 0;
  const { expectText, rerender, text } = await page.show(list(slow.workspace_id));
  await expect.poll(() => asked.some((path) => path.includes(slow.workspace_id))).toBe(true);
  await rerender(list(fast.workspace_id));
  await expectText('^1 undefined$');
  release();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(text()).toBe('1 undefined');
  expect(seen.join()).not.toContain(other.email);
});

test('data that one user requested are never shown to the next', async () => {
  const auth = open();
  const ada = await signInByCode((await signIn(auth)).email);
  await world.workspace({ owner: ada, name: 'Secret of Ada' });
  let release = () => {};
  gate = (path) =>
    path === '/workspaces'
      ? new Promise<void>((resolve) => {
          release = resolve;
        })
      : undefined;
  const { expectText, text } = await page.show(within(auth, Workspaces, Who));
  await expect.poll(() => asked).toContain('/workspaces');
  gate = () => undefined;
  const grace = await signIn(auth);
  await expectText(`^none undefined.*${grace.email}`);
  release();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(text()).not.toContain('Ada');
});

test('a list that the user may no longer read is removed', async () => {
  const auth = open();
  const me = await signInByCode((await signIn(auth)).email);
  const workspace = await world.workspace({ owner: await signInByCode('owner@react.example.com') });
  await world.member(workspace, 'member', me);
  const { expectText, click } = await page.show(
    createElement(AuthProvider, { auth }, createElement(Reload, { of: workspace.workspace_id })),
  );
  await expectText('^2 members$');
  const path = `/workspaces/${workspace.workspace_id}/users/${me.uid}`;
  await world.call('DELETE', path, project.basic);
  await click('2 members', '^not_found$');
});

test("useCan follows the user's role, and allows a non-member nothing", async () => {
  const auth = open();
  const { uid } = await signIn(auth);
  const { define } = roleTools(world, project);
  const role = await define('clerk', ['invoice:read']);
  const place = await world.workspace({ owner: await world.user({ project }) });
  const { workspace_id } = place;
  function Rights() {
    const { can, data, error, refresh } = useCan(workspace_id);
    const all = ['invoice:read', 'workspace:read', 'workspace:update'].map((each) => can(each));
    const known = `${data?.role ?? ''} ${(error as { code?: string } | undefined)?.code ?? ''}`;
    return createElement('button', { onClick: () => void refresh() }, `${all.join(' ')} ${known}`);
  }
  const { expectText, click } = await page.show(within(auth, Rights));
  await expectText('false false false  not_found');
  await world.as(project).members.add({ workspace_id, user_id: uid, role });
  await click('false false false  not_found', 'true true false clerk');
});

function Theme() {
  const { data, merge } = useMetadata();
  const [refusal, setRefusal] = useState('');
  const set = (theme: unknown) => () =>
    merge({ theme }).catch((error: { code: string }) => setRefusal(error.code));
  return createElement(
    'div',
    null,
    `${String(data?.user_metadata?.['theme'])} ${String(data?.app_metadata?.['plan'])} ${refusal} `,
    createElement('button', { onClick: set('dark') }, 'dark'),
    createElement('button', { onClick: set(null) }, 'none'),
    createElement('button', { onClick: set('x'.repeat(5_000)) }, 'long'),
  );
}

test('the metadata of the user are shown, merged, and refused when too large', async () => {
  const auth = open();
  const { uid } = await signIn(auth);
  await world.as(project).users.setMetadata({ uid, app_metadata: { plan: 'team' } });
  const { expectText, click } = await page.show(within(auth, Theme));
  await expectText('^undefined team');
  await click('dark', '^dark team');
  await click('long', '^dark team invalid_request');
  await click('none', '^undefined team');
  const { body } = await world.as(project).users.getMetadata({ uid });
  expect(body).toEqual({ app_metadata: { plan: 'team' } });
});

/** The active workspace, with a button for each selectable one. */
const active = (choices: Record<string, string | null>) =>
  function Active() {
    const { data, select } = useActiveWorkspace();
    const [refusal, setRefusal] = useState('');
    const choose = (to: string | null) => () =>
      select(to).catch((error: { code: string }) => setRefusal(error.code));
    return createElement(
      'div',
      null,
      `${data?.workspace_id} ${data?.workspace_role} ${refusal} `,
      Object.entries(choices).map(([name, to]) =>
        createElement('button', { key: name, onClick: choose(to) }, name),
      ),
    );
  };

test('useActiveWorkspace reads the workspace from the token, selects one, and deselects it', async () => {
  const auth = open();
  const { email } = await signIn(auth);
  const { workspace_id } = await world.workspace({ owner: await signInByCode(email) });
  const { workspace_id: other } = await world.workspace();
  const { expectText, click } = await page.show(
    within(auth, active({ own: workspace_id, other, none: null })),
  );
  await expectText('^null undefined');
  await click('own', `^${workspace_id} owner`);
  await click('other', `^${workspace_id} owner not_found`);
  await click('none', '^null undefined');
  // Another session of the same user has not chosen any.
  await click('own', `^${workspace_id} owner`);
  await signIn(auth, email);
  await expectText('^null undefined');
});
