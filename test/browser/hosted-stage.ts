import { expect } from 'vitest';
import { cors } from '../../lib/cors.ts';
import type { PageName } from '../../shared/contract/pages.ts';
import { cookieName } from '../support/hosted-pages.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { type Person, startWorld } from '../support/world.ts';
import type { Opened } from './browser.ts';

/** The service operations that a journey needs, local or deployed. */
export type HostedService<Owner = unknown> = {
  url: string;
  project_id: string;
  /** The newest link or code that was mailed to an address. */
  linkTo: (email: string) => Promise<string>;
  codeTo: (email: string) => Promise<string>;
  /** Creates a user with `goodPassword`; `workspace` creates a workspace that the user owns. */
  signUp: (email: string) => Promise<Owner>;
  workspace: (owner: Owner, name: string) => Promise<{ workspace_id: string }>;
};

/** The actions of users on the hosted pages of a project. */
export function hostedActions<Owner>(service: HostedService<Owner>) {
  const { url, project_id, linkTo, codeTo, signUp } = service;
  /** The address of a page. */
  const at = (name: PageName, query: Record<string, string> = {}): string => {
    const search = new URLSearchParams(query).toString();
    return `${url}/pages/${project_id}/${name}${search && `?${search}`}`;
  };
  /** Signs in with the password on the current page. */
  async function signIn(opened: Opened, email: string, password = goodPassword): Promise<void> {
    await field(opened, 'E-mail').fill(email);
    await field(opened, 'Password').fill(password);
    await press(opened, 'Sign in');
  }
  /** Opens a page that requires sign-in, and signs in. */
  async function arrive(opened: Opened, email: string, page: string): Promise<Opened> {
    await opened.page.goto(page);
    await heading(opened, 'Sign in');
    await signIn(opened, email);
    await opened.page.getByRole('link', { name: 'Sign out' }).waitFor();
    allow(opened, '401');
    return opened;
  }
  /** Requests a code on the current page and enters it. */
  async function enterCode(opened: Opened, email: string, submit = 'Sign in'): Promise<void> {
    await press(opened, 'Use a code by e-mail');
    await field(opened, 'E-mail').fill(email);
    await press(opened, 'Send me a code');
    await says(opened, `We have sent a code to ${email}.`);
    await field(opened, 'Code').fill(await codeTo(email));
    await press(opened, submit);
  }
  /** Creates a user with a workspace, and opens its members page as that user. */
  async function ownedWorkspace(opened: Opened, email: string, name: string) {
    const owner = await signUp(email);
    const { workspace_id } = await service.workspace(owner, name);
    await arrive(opened, email, at('members', { workspace_id }));
    await says(opened, '1 member');
    return { opened, owner, workspace_id };
  }
  return { at, linkTo, signUp, signIn, arrive, enterCode, ownedWorkspace };
}

/** A service whose project has hosted pages. `origins`: of the applications that call it. */
export async function startHostedStage(settings: object = {}, origins: string[] = []) {
  const world = await (origins.length > 0
    ? startWorld({ cors: { ...cors, origins } })
    : startWorld());
  const people = await signInProject(world, { hosted_pages: true, ...settings });
  const { project_id } = people;

  /** Notification mails may have arrived after the one with the link. */
  async function linkTo(email: string): Promise<string> {
    await world.drainStream();
    const texts = world.mails().flatMap(({ to, text }) => (to === email ? [text] : []));
    const [link] = texts.flatMap((text) => /http:\S+#(?:token|join)=\S+/.exec(text) ?? []);
    if (link === undefined) throw new Error(`No link was mailed to ${email}.`);
    return link;
  }
  const actions = hostedActions<Person>({
    ...{ url: world.url, project_id, linkTo, codeTo: people.mailed, signUp: people.signUp },
    workspace: (owner, name) => world.workspace({ owner, name }),
  });
  /** Signs in a user on a page, and reports every request that does not go to the service. */
  async function enterAs(opened: Opened, person?: Pick<Person, 'uid'>): Promise<Opened> {
    const { page, context, problems } = opened;
    page.on('request', (request) => {
      if (!request.url().startsWith(`${world.url}/`) && !request.url().startsWith('data:'))
        problems.push(`asked elsewhere: ${request.url()}`);
    });
    if (!person) return opened;
    const { refresh_token } = await world.session(person.uid, people.project);
    const name = cookieName(people.project);
    await context.addCookies([
      { name, value: refresh_token, url: world.url, httpOnly: true, sameSite: 'Lax' },
    ]);
    return opened;
  }
  return { world, enterAs, people, project_id, ...actions };
}

/** Opens a page of the service and waits until it has loaded. */
export async function visit(opened: Opened, url: string): Promise<void> {
  const { page } = opened;
  // Addresses that differ only after the # do not reload the page. For all others about:blank is not used: it would
  // give each page a new process, without compiled code.
  if (withoutFragment(page.url()) === withoutFragment(url)) await page.goto('about:blank');
  await page.goto(url);
  await page.locator('h1').waitFor();
  await settled(opened);
}
const withoutFragment = (url: string) => url.replace(/#.*/s, '');
export async function settled({ page }: Opened): Promise<void> {
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
}

export const says = ({ page }: Opened, text: string | RegExp) =>
  page.getByText(text).first().waitFor();
export const heading = ({ page }: Opened, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
export const field = ({ page }: Opened, label: string) => page.getByLabel(label, { exact: true });
export const press = ({ page }: Opened, name: string) =>
  page.getByRole('button', { name, exact: true }).click();
export const follow = ({ page }: Opened, name: string) =>
  page.getByRole('link', { name, exact: true }).click();
/** Opens a collapsed section. */
export const unfold = ({ page }: Opened, name: string) =>
  page.locator('summary').getByText(name, { exact: true }).click();

/** Removes the expected error statuses from the problems that the browser reports, now and from now on. */
export function allow({ problems, allowed }: Opened, ...statuses: string[]): void {
  allowed.push(...statuses.map((status) => `status of ${status}`));
  const others = problems.splice(0).filter((each) => !allowed.some((part) => each.includes(part)));
  expect(others).toEqual([]);
}
