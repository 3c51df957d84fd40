import { equal, ok } from 'node:assert/strict';
import { newSecret, sha256 } from '../../../shared/model/ids.ts';
import { returnUrl } from '../operator.ts';
import { personOf, type World } from '../world.ts';
import { newBrowser } from './browser.ts';

/** Users who are redirected to a provider, sign in there, and return. */
export async function providers(world: World): Promise<void> {
  const { checks, url, anyone, backend, project, own } = world;
  const { project_id } = project;

  /** Goes to the provider; returns its page, and the response to the redirect back. */
  async function away(browser: ReturnType<typeof newBrowser>, code_challenge: string) {
    const query = new URLSearchParams({ project_id, return_url: returnUrl, code_challenge });
    const started = await browser.send('GET', `/oauth/own/start?${query.toString()}`);
    equal(started.status, 302);
    const page = new URL(started.headers.get('location') ?? '');
    equal(page.origin, own.issuer);
    const consent = await fetch(`${own.origin}${page.pathname}${page.search}`, {
      redirect: 'manual',
    });
    const back = new URL(consent.headers.get('location') ?? '');
    return `${back.pathname}${back.search}`;
  }

  const barbara = await checks.check('a provider by redirect signs a user up, once', async () => {
    own.behave({ expires_in: 0 });
    own.is({ sub: 'barbara', email: 'barbara@example.com', email_verified: true });
    const browser = newBrowser(url);
    const code_verifier = newSecret();
    const path = await away(browser, sha256(code_verifier));
    equal((await newBrowser(url).send('GET', path)).status, 400);
    const landed = await browser.send('GET', path);
    equal(landed.to, returnUrl);
    own.behave();
    const { code = '' } = landed.given;
    ok(code !== '');
    const { body } = await anyone.providers.signIn({ project_id, code, code_verifier });
    equal(body.user.social, 'own');
    equal((await browser.send('GET', path)).status, 400);
    return body;
  });
  await checks.check('the stored token of the provider is refreshed, once', async () => {
    const asHer = personOf(world, barbara);
    const { body } = await asHer.client.identities.getToken({ provider: 'own' });
    ok(body.access_token.startsWith('token-of-oidc-'));
    equal(own.calls.filter((call) => call.body.includes('grant_type=refresh_token')).length, 1);
    const { uid } = asHer;
    const given = await backend.identities.getTokenOfUser({ uid, provider: 'own' });
    equal(given.body.access_token, body.access_token);
  });
  await checks.check('a user who cancels at the provider returns without a code', async () => {
    own.behave({
      answer: (back) => {
        back.searchParams.delete('code');
        back.searchParams.set('error', 'access_denied');
        return back;
      },
    });
    const browser = newBrowser(url);
    const landed = await browser.send('GET', await away(browser, sha256(newSecret())));
    equal(landed.given['error'], 'access_denied');
    own.behave();
  });
  await checks.check('the form response of a provider is bound to the browser too', async () => {
    const browser = newBrowser(url);
    const [path = '', search] = (await away(browser, sha256(newSecret()))).split('?');
    const form = Object.fromEntries(new URLSearchParams(search));
    equal((await newBrowser(url).send('POST', path, { form })).status, 400);
    ok((await browser.send('POST', path, { form })).given['code'] !== undefined);
  });
}
