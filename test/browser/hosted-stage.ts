import { expect } from 'vitest';
import { cors } from '../../lib/cors.ts';
import type { PageName } from '../../shared/contract/pages.ts';
import { cookieName } from '../support/hosted-pages.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { type Person, startWorld } from '../support/world.ts';
import type { Opened } from './browser.ts';

/** What the people of a journey need of the service, wherever it runs. */
export type HostedService<Owner = unknown> = {
  url: string;
  project_id: string;
  /** The newest link, and the newest code, that was mailed to an address. */
  linkTo: (email: string) => Promise<string>;
  codeTo: (email: string) => Promise<string>;
  /** Somebody with `goodPassword`, and a workspace of theirs. */
  signUp: (email: string) => Promise<Owner>;
  workspace: (owner: Owner, name: string) => Promise<{ workspace_id: string }>;
};

/** What people do on the hosted pages of a project. */
export function hostedActions<Owner>(service: HostedService<Owner>) {
  const { url, project_id, linkTo, codeTo, signUp } = service;
  /** The address of a page. */
  const at = (name: PageName, query: Record<string, string> = {}): string => {
    const search = new URLSearchParams(query).toString();
    return `${url}/pages/${project_id}/${name}${search && `?${search}`}`;
  };
  /** Signs in by password where a page asks for it. */
  async function signIn(opened: Opened, email: string, password = goodPassword): Promise<void> {
    await field(opened, 'E-mail').fill(email);
    await field(opened, 'Password').fill(password);
    await press(opened, 'Sign in');
  }
  /** Opens a page in a browser in which somebody signs in for it. */
  async function arrive(opened: Opened, email: string, page: string): Promise<Opened> {
    await opened.page.goto(page);
    await heading(opened, 'Sign in');
    await signIn(opened, email);
    await opened.page.getByRole('link', { name: 'Sign out' }).waitFor();
    allow(opened, '401');
    return opened;
  }
  /** Asks for a code where a page offers it, and enters the one that comes. */
  async function enterCode(opened: Opened, email: string, submit = 'Sign in'): Promise<void> {
    await press(opened, 'Use a code by e-mail');
    await field(opened, 'E-mail').fill(email);
    await press(opened, 'Send me a code');
    await says(opened, `We have sent a code to ${email}.`);
    await field(opened, 'Code').fill(await codeTo(email));
    await press(opened, submit);
  }
  /** Makes somebody with a workspace, whose members they look at. */
  async function ownedWorkspace(opened: Opened, email: string, name: string) {
    const owner = await signUp(email);
    const { workspace_id } = await service.workspace(owner, name);
    await arrive(opened, email, at('members', { workspace_id }));
    await says(opened, '1 member');
    return { opened, owner, workspace_id };
  }
  return { at, linkTo, signUp, signIn, arrive, enterCode, ownedWorkspace };
}

/** A service whose project has hosted pages, and what people do there. `origins`: of applications that call it. */
export async function startHostedStage(settings: object = {}, origins: string[] = []) {
  const world = await (origins.length > 0
    ? startWorld({ cors: { ...cors, origins } })
    : startWorld());
  const people = await signInProject(world, { hosted_pages: true, ...settings });
  const { project_id } = people;

  /** Mails that only tell may have come since. */
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
  /** Makes a page one in which somebody is signed in, and which asks nobody but the service for anything. */
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

/** Opens a page of the service and waits until nothing is loading. */
export async function visit(opened: Opened, url: string): Promise<void> {
  const { page } = opened;
  // Two addresses that differ after the # alone are one page. Other ones are loaded from where it is: by way of an
  // empty page each would get a process of its own, which has nothing compiled.
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
/** Unfolds what is folded up. */
export const unfold = ({ page }: Opened, name: string) =>
  page.locator('summary').getByText(name, { exact: true }).click();

/**
 * Takes out the answers of the service that the browser reports as problems and that were meant to come, or still are.
 */
export function allow({ problems, allowed }: Opened, ...statuses: string[]): void {
  allowed.push(...statuses.map((status) => `status of ${status}`));
  const others = problems.splice(0).filter((each) => !allowed.some((part) => each.includes(part)));
  expect(others).toEqual([]);
}
