import { text } from 'node:stream/consumers';
import type { PresetName } from '../../shared/model/provider-presets.ts';
import { providerSecretText } from '../../shared/model/provider-secret.ts';
import { exchange } from './call.ts';
import { CookieJar } from './cookie-jar.ts';
import { newProof } from './oauth.ts';
import type { Misbehaviour, ProviderUser, StandIn } from './provider-stand-in.ts';
import { type SignIn, type Started, signInProject } from './sign-in.ts';
import type { World } from './world.ts';

export const returnUrl = 'https://app.example.com/signed-in?from=provider';

/** The response of a provider for a user who cancels there. */
export const cancels: Misbehaviour = {
  answer: (url) => {
    url.searchParams.delete('code');
    url.searchParams.set('error', 'access_denied');
    return url;
  },
};

/** A project with sign-in at stand-ins for providers, each under the name of its preset. */
export async function providerProject(
  world: World,
  standIns: StandIn[],
  settings: object = {},
  ofEach: object = {},
) {
  const ours = await signInProject(world, {
    sign_in_providers: Object.fromEntries(
      standIns.map((each) => [each.name, { ...each.settings, ...ofEach }]),
    ),
    return_urls: [returnUrl],
    ...settings,
  });
  for (const standIn of standIns) {
    await setSecret(world, ours, standIn);
  }
  return ours;
}

/** Sets the client secret of a project for a stand-in, as the CLI does. */
export const setSecret = (
  world: World,
  { project_id }: { project_id: string },
  standIn: StandIn,
  { name = standIn.name, secret = standIn.secret } = {},
) =>
  world.providerSecrets.set(`${project_id}/${name}`, providerSecretText(standIn.settings, secret));

/** A browser with cookies, as far as a sign-in at a provider needs one. */
export function newBrowser(url: string) {
  const cookies = new CookieJar();
  /** The cookies of other origins. */
  const others = new Map<string, CookieJar>();
  const service = new URL(url).origin;

  /** Sends one request without following redirects. */
  async function visit(to: string, form?: Record<string, string>) {
    const { origin } = new URL(to);
    const isOurs = origin === service;
    const jar = isOurs ? cookies : (others.get(origin) ?? new CookieJar());
    others.set(origin, jar);
    const response = await exchange(
      to,
      form ? 'POST' : 'GET',
      {
        ...jar.header,
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      form && new URLSearchParams(form).toString(),
    );
    const given = response.headers['set-cookie'] ?? [];
    const lines = isOurs ? given : [];
    jar.keep(given);
    const { statusCode: status = 0, headers } = response;
    return { status, location: headers.location, headers, set: lines, body: await text(response) };
  }

  /** Follows redirects and submits the form of Apple's page, until a URL matches `stop` or a response is neither. */
  async function follow(start: string, stop = (to: string) => to.startsWith('https://')) {
    let [to, form]: [string, Record<string, string>?] = [start];
    for (let hops = 0; hops < 8; hops += 1) {
      const answer = await visit(to, form);
      const [, action] = /action="([^"]+)"/.exec(answer.body) ?? [];
      if (action !== undefined) {
        form = Object.fromEntries(
          [...answer.body.matchAll(/<input name="([^"]+)" value="([^"]*)">/g)].map(
            ([, name = '', value = '']) => [name, value.replaceAll('&quot;', '"')],
          ),
        );
        to = action;
        if (stop(to)) return { to, form, answer };
        continue;
      }
      form = undefined;
      if (answer.location === undefined) return { to, answer };
      to = new URL(answer.location, to).href;
      if (stop(to)) return { to, answer };
    }
    throw new Error(`Too many redirects, at last to ${to}`);
  }

  return { cookies, visit, follow };
}
export type Browser = ReturnType<typeof newBrowser>;

type InProject = Pick<SignIn, 'project_id'>;
type StartOptions = Partial<{ name: string; browser: Browser; query: Record<string, string> }>;

/** The URL that starts a sign-in, with the verifier that the page keeps. */
export function startOf(world: World, { project_id }: InProject, name: string, query: object = {}) {
  const { code_verifier, code_challenge } = newProof();
  const asked = { project_id, return_url: returnUrl, code_challenge, ...query };
  const search = new URLSearchParams(asked as Record<string, string>).toString();
  return { url: `${world.url}/oauth/${name}/start?${search}`, code_verifier };
}

/** Goes to a provider and back; returns the final URL and its parameters. */
export async function goThrough(
  world: World,
  ours: InProject,
  name: string,
  { browser = newBrowser(world.url), query = {} }: StartOptions = {},
) {
  const { url, code_verifier } = startOf(world, ours, name, query);
  const { to, answer } = await browser.follow(url);
  const given = Object.fromEntries(new URL(to).searchParams);
  return { to, answer, given, code_verifier, browser, code: given['code'] ?? '' };
}

/** Goes to a provider and stops before the callback: with its URL or form, unsent. */
export async function upToCallback(
  world: World,
  ours: SignIn,
  name: string,
  { browser = newBrowser(world.url), query = {} }: StartOptions = {},
) {
  const { url, code_verifier } = startOf(world, ours, name, query);
  const { to, form } = await browser.follow(url, (there) => there.includes('/callback'));
  const { pathname, search, searchParams } = new URL(to);
  const given: Record<string, string> = form ?? Object.fromEntries(searchParams);
  const cookie = Array.from(browser.cookies, ([key, value]) => `${key}=${value}`).join('; ');
  return { to, path: `${pathname}${search}`, form, given, cookie, browser, code_verifier };
}

/** Redeems the code of a sign-in. */
export const redeem = (
  { post }: SignIn,
  { code, code_verifier }: { code: string; code_verifier: string },
  more: object = {},
) =>
  post<Started & { code: string; detail: string }>('/sessions/oauth', {
    code,
    code_verifier,
    ...more,
  });

/** Signs in at a provider as this user. */
export async function signInAt(
  world: World,
  ours: SignIn,
  standIn: StandIn,
  somebody: ProviderUser,
) {
  standIn.is(somebody);
  return redeem(ours, await goThrough(world, ours, standIn.name));
}

let people = 0;
/** A new user with a verified e-mail, in the format of the provider. */
export function personAt(preset: PresetName, email?: string): ProviderUser & { email: string } {
  people += 1;
  const address = email ?? `redirected${people}@gmail.com`;
  const number = 1_000_000 + people;
  const id = `${preset}-${number}`;
  const names = { name: 'Ada Lovelace', given_name: 'Ada', family_name: 'Lovelace' };
  const known: Partial<Record<PresetName, ProviderUser & { email: string }>> = {
    github: {
      ...{ id: number, login: 'ada', name: 'Ada Lovelace', email: address },
      avatar_url: 'https://avatars.githubusercontent.com/u/1',
      emails: [
        { email: `public-${address}`, primary: false, verified: true },
        { email: address, primary: true, verified: true },
      ],
    },
    discord: {
      ...{ id: String(number), username: 'ada', global_name: 'Ada', email: address },
      ...{ verified: true, avatar: 'a1b2' },
    },
    facebook: {
      ...{ id: String(number), name: 'Ada Lovelace', first_name: 'Ada', last_name: 'Lovelace' },
      ...{ email: address, picture: { data: { url: 'https://example.com/ada.png' } } },
    },
    microsoft: {
      ...{ sub: id, email: address, xms_edov: true, acct: 0, name: 'Ada Lovelace' },
      tid: '11111111-2222-3333-4444-555555555555',
    },
    apple: { sub: id, email: address, email_verified: 'true' },
  };
  return known[preset] ?? { sub: id, email: address, email_verified: true, ...names };
}
