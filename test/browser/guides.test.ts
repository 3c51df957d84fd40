import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { cors } from '../../lib/cors.ts';
import { listenOnLoopback } from '../../local/loopback.ts';
import { blocksOf } from '../support/code-blocks.ts';
import { ageAll, factorProject, newApp } from '../support/factors.ts';
import { startStandIn } from '../support/provider-stand-in.ts';
import { cancels, setSecret } from '../support/providers.ts';
import { goodPassword } from '../support/sign-in.ts';
import { startWorld } from '../support/world.ts';
import { withAuthenticator } from './authenticator.ts';
import { type Opened, useBrowser } from './browser.ts';

/** The page code of the strong sign-in guides, exactly as published, in Chromium against the running service. */
const root = join(import.meta.dirname, '../..');
const world = await startWorld({ cors: { ...cors, origins: ['*'] } });
const own = await startStandIn('oidc');
const ours = await factorProject(world, { hosted_pages: true });
const keyed = await factorProject(world);
const strict = await factorProject(world, { mfa: 'required' });
const careful = await factorProject(world, { recent_sign_in: true });
const { open } = useBrowser();

/** The code block of a guide with the given title, with the URL and project of this service. */
function printedAs(guide: string, title: string, origin: string, project_id: string): string {
  const page = readFileSync(join(root, 'docs/guide', guide), 'utf8');
  const block = blocksOf(page).find((each) => each.title === title);
  if (!block) throw new Error(`${guide} has no ${title}.`);
  return block.text
    .replaceAll('https://id.example.com', world.url)
    .replaceAll('https://app.example.com', origin)
    .replaceAll("'demo'", `'${project_id}'`);
}

/** Serves a page whose script is that block, with its exports as `guide`. `/other` serves another block. */
async function serve(
  guide: string,
  title: string,
  { project_id } = ours,
  other = title,
): Promise<string> {
  const scripts: Record<string, string> = {};
  const server = createServer(({ url = '/' }, response) => {
    const script = scripts[url];
    response.writeHead(200, { 'content-type': script ? 'text/javascript' : 'text/html' });
    const field = '<input name="email" autocomplete="username webauthn" aria-label="E-mail">';
    const icon = '<link rel="icon" href="data:,">';
    const source = url === '/other' ? '/other.js' : '/guide.js';
    response.end(script ?? `${icon}${field}<script src="${source}"></script>`);
  });
  // An IP address cannot be a relying party ID.
  const origin = (await listenOnLoopback(server)).replace('127.0.0.1', 'localhost');
  afterAll(() => {
    server.close().closeAllConnections();
  });
  for (const [path, named] of Object.entries({ '/guide.js': title, '/other.js': other })) {
    const contents = printedAs(guide, named, origin, project_id);
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      ...{ bundle: true, format: 'iife', globalName: 'guide', write: false, logLevel: 'error' },
    });
    scripts[path] = outputFiles?.[0]?.text ?? '';
  }
  return origin;
}

/** Evaluates an expression in the page; `guide` is in scope. */
const run = <T>({ page }: Opened, expression: string) => page.evaluate(expression) as Promise<T>;
/** Must run before the first request for the project: an instance caches settings for a minute. */
const update = ({ project_id }: { project_id: string }, settings: object) =>
  world.operate({ action: 'update', project_id, ...settings });
const text = (value: unknown) => JSON.stringify(value);

test('social-sign-in.md: the code signs in and links by a provider, and refuses a cancelled or forged response', async () => {
  const origin = await serve('social-sign-in.md', 'social-sign-in.ts');
  await update(ours, {
    ...{ sign_in_providers: { own: own.settings } },
    ...{ return_urls: [`${origin}/signed-in`] },
  });
  await setSecret(world, ours, own);
  const email = 'grace@guides.example.com';
  own.is({ sub: 'grace', email, email_verified: true, name: 'Grace' });
  const opened = await open();
  const { page } = opened;
  await page.goto(origin);
  expect(await run(opened, 'guide.finish()')).toBeUndefined();
  expect(await run(opened, 'guide.offered()')).toEqual([{ name: 'own', title: 'Own' }]);
  await run(opened, "void guide.signInWith('own')");
  await page.waitForURL(/\/signed-in\?.*code=/);
  const finished =
    'guide.finish().then(({ user, user_created, state }) => [user.email, user_created, state])';
  expect(await run(opened, finished)).toEqual([email, true, 'inbox']);
  expect(page.url()).toBe(`${origin}/signed-in`);
  expect(await run(opened, 'guide.finish()')).toBeUndefined();

  // Another account of the provider: a user can link only one per provider.
  opened.allowed.push('409');
  own.is({ sub: 'grace-too' });
  await run(opened, "void guide.link('own')");
  await page.waitForURL(/\/signed-in\?.*code=/);
  const failed = 'guide.finish().catch(({ code }) => code)';
  expect(await run(opened, failed)).toBe('identity_conflict');
  own.is({ sub: 'grace' });
  await run(opened, "void guide.link('own')");
  await page.waitForURL(/\/signed-in\?.*code=/);
  expect(await run(opened, 'guide.finish().then(({ from }) => from)')).toBe('link');

  // The user cancels at the provider; then, a link with the code of another user.
  own.behave(cancels);
  await run(opened, "void guide.signInWith('own')");
  await page.waitForURL(/error=access_denied/);
  expect(await run(opened, failed)).toBe('access_denied');
  own.behave();
  const [code, state] = ['x'.repeat(43), `provider.${'y'.repeat(43)}`];
  await page.goto(`${origin}/signed-in?code=${code}&state=${state}`);
  expect(await run(opened, failed)).toBe('state_mismatch');
  expect(page.url()).toBe(`${origin}/signed-in`);
});

test('passkeys.md: the code signs in by a button and by autofill, lists, removes and adds passkeys', async () => {
  const origin = await serve('passkeys.md', 'passkeys.ts', keyed);
  await update(keyed, { passkeys: true, rp_id: 'localhost', origins: [origin] });
  // The block supports only passkeys: another page adds the first one.
  const email = 'ada@guides.example.com';
  const person = await keyed.signUp(email);
  const opened = await open();
  const { page } = opened;
  const { picks, credentials } = await withAuthenticator(opened);
  await picks(true);
  await page.goto(origin);
  const stored = await world.call<{ publicKey: object }>({
    ...{ method: 'POST', path: '/users/me/passkeys/options', auth: person.bearer },
    body: { current_password: goodPassword },
  });
  const made = await run<object>(
    opened,
    `navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(${text(stored.body.publicKey)}) }).then((made) => made.toJSON())`,
  );
  const register = { credential: made, name: 'First' };
  expect((await world.call('POST', '/users/me/passkeys', person.bearer, register)).status).toBe(
    201,
  );

  await run(opened, 'guide.signIn()');
  const names = () =>
    run<string[]>(opened, 'guide.list().then((all) => all.map(({ name }) => name))');
  expect(await names()).toEqual(['First']);
  await page.reload();
  await run(opened, 'guide.offerInAutofill()');
  expect(await names()).toEqual(['First']);
  const [{ passkey_id } = { passkey_id: '' }] = await run<{ passkey_id: string }[]>(
    opened,
    'guide.list()',
  );
  await run(opened, `guide.remove('${passkey_id}', '${goodPassword}')`);
  expect(await names()).toEqual([]);
  expect(await credentials()).toHaveLength(1);
  await run(opened, `guide.add('${goodPassword}')`);
  expect(await names()).toEqual(['Phone']);
});

test('second-factor.md: the code adds an app, signs in with it, renews its recovery codes and removes it', async () => {
  const origin = await serve('second-factor.md', 'second-factor.ts');
  const email = 'bob@guides.example.com';
  const { uid } = await ours.signUp(email);
  const opened = await open();
  await opened.page.goto(origin);
  const credentials = text({ email, password: goodPassword });
  const signIn = (code = '') => run(opened, `guide.signIn(${credentials}, async () => '${code}')`);
  await signIn();
  const { secret } = await run<{ secret: string }>(opened, `guide.start('${goodPassword}')`);
  const app = newApp(secret);
  expect(await run(opened, `guide.confirm('${await app.codeBefore()}')`)).toHaveLength(10);
  await signIn(app.code());
  expect(await run(opened, 'guide.list()')).toMatchObject([{ recovery_codes_left: 10 }]);
  await ours.rest(uid);
  expect(await run(opened, `guide.renew('${app.code()}')`)).toHaveLength(10);
  await ours.rest(uid);
  await run(opened, `guide.remove('${app.code()}').then(() => {})`);
  expect(await run(opened, 'guide.list()')).toEqual([]);
});

test('second-factor.md: enrol adds a required app, and signs in once the recovery codes are kept', async () => {
  const origin = await serve('second-factor.md', 'second-factor.ts', strict);
  const { mfa_token } = (await strict.signUpWithMfa('mary@guides.example.com')).body;
  const opened = await open();
  const { page } = opened;
  opened.allowed.push('status of 401');
  await page.exposeFunction('codeOfApp', (uri: string) =>
    newApp(new URL(uri).searchParams.get('secret') ?? '').code(),
  );
  await page.goto(origin);
  const signedIn = `guide.list().then((all) => all.map((each) => each.recovery_codes_left), ({ code }) => code)`;
  const [kept, meanwhile] = await run<[string[], unknown]>(
    opened,
    `new Promise((resolve, reject) => guide.enrol('${mfa_token}', codeOfApp, async (codes) => {
      globalThis.kept = [codes, await ${signedIn}];
    }).then(() => resolve(kept), reject))`,
  );
  expect([new Set(kept).size, meanwhile]).toEqual([10, 'unauthenticated']);
  expect(await run(opened, signedIn)).toEqual([10]);
});

test('second-factor.md: a request that needs a recent sign-in is repeated once the user reauthenticated', async () => {
  const origin = await serve('second-factor.md', 'step-up.ts', careful, 'second-factor.ts');
  const email = 'hedy@guides.example.com';
  const person = await careful.signUp(email);
  const opened = await open();
  await opened.page.goto(`${origin}/other`);
  const credentials = text({ email, password: goodPassword });
  await run(opened, `guide.signIn(${credentials}, async () => '')`);
  // A new tab shares the session.
  const beside = await open({}, opened);
  beside.allowed.push('status of 401');
  const next = beside.page;
  await next.goto(origin);
  let requests = 0;
  let proof: object = {};
  await next.exposeFunction('ask', () => {
    requests += 1;
    return proof;
  });
  const change = (to: string, password = goodPassword) =>
    next.evaluate(
      `guide.changeEmail('${to}', '${password}', ask).then(() => 'done', ({ code }) => code)`,
    );
  expect(await change('first@guides.example.com')).toBe('done');
  expect(requests).toBe(0);

  await ageAll(world, person);
  proof = { password: 'not my password' };
  expect(await change('second@guides.example.com')).toBe('invalid_credentials');
  proof = { password: goodPassword };
  expect(await change('second@guides.example.com')).toBe('done');
  expect(requests).toBe(2);
  // The session is recent from now on. A refusal for another reason does not open the dialog.
  expect(await change('third@guides.example.com', 'not my password')).toBe('invalid_credentials');
  expect(requests).toBe(2);
  await world.drainStream();
  const mailed = world.mails().flatMap(({ to }) => (/(first|second|third)@/.test(to) ? [to] : []));
  expect(mailed.toSorted()).toEqual(['first@guides.example.com', 'second@guides.example.com']);
});
