import { describe, expect, test } from 'vitest';
import { claimsOf } from '../model/tokens.ts';
import { atHost } from '../support/at-host.ts';
import { newAuthenticator } from '../support/authenticator.ts';
import { hostedProject, withCookie } from '../support/hosted-pages.ts';
import { oauthScene, redirected } from '../support/oauth.ts';
import { passkeyProject } from '../support/passkeys.ts';
import { startWorld } from '../support/world.ts';

/** A project with a custom domain for its hosted pages: attacks with host names, and unchanged behaviour. */

const world = await startWorld();
const { port } = new URL(world.url);
const domain = 'auth.acme.localhost';
const host = `${domain}:${port}`;
const own = `http://${host}`;

const acme = await oauthScene(world);
await world.operate({ action: 'update', project_id: acme.project_id, pages_domain: domain });
const other = await oauthScene(world);
const third = await hostedProject(world);
const thirdHost = `id.third.localhost:${port}`;
await world.operate({
  ...{ action: 'update', project_id: third.project_id },
  pages_domain: 'id.third.localhost',
});
const serviceHost = new URL(world.url).host;

const page = (at: string, project_id: string, rest = 'sign-in') =>
  atHost(world.url, at, `/pages/${project_id}/${rest}`);
const search = (parameters: Record<string, string | undefined>) =>
  new URLSearchParams(JSON.parse(JSON.stringify(parameters)) as Record<string, string>).toString();
/** The address of a project's pages according to its setting. */
const homeOf = (project_id: string) => (project_id === acme.project_id ? own : world.url);
const headersOf = (answer: { headers: Record<string, string> }) => ({
  headers: new Headers(answer.headers),
});

describe('the pages of a project', () => {
  test('are served at its domain', async () => {
    const { status, body } = await page(host, acme.project_id);
    expect(status).toBe(200);
    expect(body).toContain('<script type="module"');
    const project = await atHost(world.url, host, `/projects/${acme.project_id}`);
    expect(project.status).toBe(200);
  });

  test('are redirected there from the service, with the query, so that old links work', async () => {
    const query = 'project_id=demo&state=a%20b%0D%0Ax:%20y&a=1&a=2&x%0D%0Aset-cookie:%20b=1';
    const { status, headers } = await page(serviceHost, acme.project_id, `new-password?${query}`);
    expect(status).toBe(302);
    const [address, sent] = (headers['location'] ?? '').split('?');
    expect(address).toBe(`${own}/pages/${acme.project_id}/new-password`);
    expect(sent).toMatch(/^[\w%+&=.-]+$/);
    expect([...new URLSearchParams(sent)]).toEqual([...new URLSearchParams(query)]);
    expect(headers).not.toHaveProperty('set-cookie');
  });

  test.each([
    ['the domain of another project', thirdHost, acme.project_id],
    ['the domain of another project, if theirs has none', host, other.project_id],
    ['an unknown host', 'evil.example', acme.project_id],
    ['an unknown host, if the project has no domain', 'evil.example', other.project_id],
    ['a name below the domain', `x.${host}`, acme.project_id],
    ['a host that begins with the domain', `${domain}.evil.example:${port}`, acme.project_id],
    ['the service as a user name', `${serviceHost}@evil.example`, other.project_id],
  ])('are not served at %s, which only redirects to the right host', async (_, at, project_id) => {
    const { status: led, headers: to } = await page(at, project_id, 'sign-in?state=a');
    expect([led, to['location']]).toEqual([
      302,
      `${homeOf(project_id)}/pages/${project_id}/sign-in?state=a`,
    ]);
    const answers = await Promise.all([
      page(at, 'nobody'),
      atHost(world.url, at, `/projects/${project_id}`),
      atHost(world.url, at, `/pages/${project_id}/session/token`, {
        method: 'POST',
        headers: withCookie({ project_id }, 'x'),
      }),
    ]);
    for (const { status, headers, body } of answers) {
      expect(status).toBe(404);
      expect(headers).not.toHaveProperty('location');
      expect(headers).not.toHaveProperty('set-cookie');
      expect(body).not.toContain(at);
    }
  });

  test.each([
    ['another one', 'second.moving.localhost'],
    ['the service', null],
  ])('are redirected from a former domain of the project %s, in one step', async (_, now) => {
    const { project_id } = await hostedProject(world);
    const before = `first${now === null ? '' : '-one'}.moving.localhost`;
    for (const pages_domain of [before, now])
      await world.operate({ action: 'update', project_id, pages_domain });
    const home = now === null ? world.url : `http://${now}:${port}`;
    const { status, headers } = await page(`${before}:${port}`, project_id);
    expect([status, headers['location']]).toEqual([302, `${home}/pages/${project_id}/sign-in`]);
    expect((await page(new URL(home).host, project_id)).status).toBe(200);
  });
});

describe('the sign-out page', () => {
  const { project_id } = acme;
  const at = (of: string, cookie: string, name = 'sign-out') =>
    atHost(world.url, of, `/pages/${project_id}/${name}`, { headers: { cookie } });

  test('is also served by the service for a session older than the domain', async () => {
    const { cookie } = await acme.visitor();
    expect((await at(serviceHost, cookie)).status).toBe(200);
    expect((await at(serviceHost, cookie, 'account')).status).toBe(302);
    const { status, headers } = await atHost(
      ...([world.url, serviceHost, `/pages/${project_id}/session`] as const),
      { method: 'DELETE', headers: { cookie, origin: world.url } },
    );
    expect(status).toBe(200);
    expect(headers['set-cookie']).toMatch(/Max-Age=0/);
    const after = await at(serviceHost, '');
    expect([after.status, after.headers['location']]).toEqual([
      302,
      `${own}/pages/${project_id}/sign-out`,
    ]);
  });

  test('redirects to the domain from any other host, and removes the cookie of that host', async () => {
    const { cookie } = await acme.visitor();
    const { status, headers } = await at('former.acme.localhost', cookie);
    expect([status, headers['location']]).toEqual([302, `${own}/pages/${project_id}/sign-out`]);
    expect(headers['set-cookie']).toMatch(new RegExp(`session-${project_id}=;.*Max-Age=0`));
  });
});

describe('the session cookie', () => {
  const renew = (cookie: string, headers: Record<string, string>) =>
    atHost(world.url, host, `/pages/${acme.project_id}/session/token`, {
      method: 'POST',
      headers: { ...headers, cookie },
    });

  test('is renewed only for pages of the domain, also in an old browser', async () => {
    const { cookie } = await acme.visitor();
    for (const origin of [world.url, 'https://evil.example', `http://${thirdHost}`, 'null'])
      expect((await renew(cookie, { origin })).status, origin).toBe(403);
    expect((await renew(cookie, { 'sec-fetch-site': 'same-site' })).status).toBe(403);
    const { status, headers } = await renew(cookie, { origin: own });
    expect(status).toBe(200);
    // Only for this host.
    expect(headers['set-cookie']).not.toMatch(/domain=/i);
  });
});

describe('an authorization request', () => {
  test('is redirected from the service to the domain, unchanged', async () => {
    const { fields } = acme.request(acme.web, { prompt: 'none', login_hint: 'a b&c=d' });
    const at = await atHost(world.url, serviceHost, `/authorize?${search(fields)}`);
    const { to, given } = redirected(headersOf(at));
    expect([at.status, to]).toEqual([302, `${own}/authorize`]);
    expect(given).toEqual(JSON.parse(JSON.stringify(fields)));
  });

  test('is answered at the domain, with the issuer of the service', async () => {
    const visitor = await acme.visitor();
    const { fields, code_verifier } = acme.request(acme.web);
    const { headers } = await atHost(world.url, host, `/authorize?${search(fields)}`, {
      headers: { cookie: visitor.cookie },
    });
    const { to, given } = redirected({ headers: new Headers(headers) });
    expect([to, given['iss']]).toEqual([fields['redirect_uri'], world.url]);
    const { status, body } = await acme.token({
      grant_type: 'authorization_code',
      ...{ code: given['code'], code_verifier, client_id: fields['client_id'] },
      redirect_uri: fields['redirect_uri'],
    });
    expect(status).toBe(200);
    // Earlier tokens and clients of the issuer are not affected.
    for (const token of [body.access_token, body.id_token])
      expect(claimsOf(token ?? '').iss).toBe(world.url);
  });

  test('without a session leads to the sign-in page at the domain', async () => {
    const { fields } = acme.request(acme.web);
    const answer = await atHost(world.url, host, `/authorize?${search(fields)}`);
    expect(redirected(headersOf(answer)).to).toBe(`${own}/pages/${acme.project_id}/sign-in`);
  });

  test.each([
    ['another project', host, other],
    ['a project, at the domain of another one', thirdHost, acme],
    ['a project, at an unknown host', 'evil.example', acme],
  ])(
    'for a client of %s is redirected to the domain of its project',
    async (_, at, { request, web, project_id }) => {
      const { fields } = request(web);
      const answer = await atHost(world.url, at, `/authorize?${search(fields)}`);
      const { to, given } = redirected(headersOf(answer));
      expect([answer.status, to]).toEqual([302, `${homeOf(project_id)}/authorize`]);
      expect(given).toEqual(JSON.parse(JSON.stringify(fields)));
    },
  );

  test('with an unregistered redirect URI gets 400 at every host (open redirect)', async () => {
    for (const at of [serviceHost, host, 'evil.example']) {
      const { fields } = acme.request(acme.web, { redirect_uri: 'https://evil.example/' });
      const { status, headers } = await atHost(world.url, at, `/authorize?${search(fields)}`);
      expect(status).toBe(400);
      expect(headers).not.toHaveProperty('location');
    }
  });
});

test.each([
  ['of a domain below its rp_id, in addition to the configured origins', 'acme.localhost', true],
  ['of no domain outside its rp_id', 'other.localhost', false],
])('passkeys work on the pages %s', async (_, rp_id, works) => {
  const name = `auth.${works ? 'keys' : 'strange'}.acme.localhost`;
  const settings = { rp_id, origins: [`https://app.${rp_id}`], hosted_pages: true };
  const { project, project_id, ...passkeys } = await passkeyProject(world, settings);
  await world.operate({ action: 'update', project_id, pages_domain: name });
  const ada = await world.user({ project });
  const { authenticator } = await passkeys.add(ada, newAuthenticator(`https://app.${rp_id}`));
  expect((await passkeys.signInBy(authenticator)).status).toBe(201);
  const forged = { origin: `http://${name}:${port}` };
  expect((await passkeys.signInBy(authenticator, forged)).status).toBe(works ? 201 : 401);
});

describe('a sign-out', () => {
  const fields = search({ client_id: acme.web.client_id, state: 's' });

  test('is redirected from the service to the domain, and asks for confirmation there', async () => {
    const at = await atHost(world.url, serviceHost, `/logout?${fields}`);
    expect(at.headers['location']).toBe(`${own}/logout?${fields}`);
    const { cookie } = await acme.visitor();
    const there = await atHost(world.url, host, `/logout?${fields}`, { headers: { cookie } });
    expect(redirected(headersOf(there)).to).toBe(`${own}/pages/${acme.project_id}/sign-out`);
    const without = await atHost(world.url, host, '/logout', { headers: { cookie } });
    expect(redirected(headersOf(without)).to).toBe(`${own}/pages/${acme.project_id}/sign-out`);
  });

  test('at any other host is redirected to the domain of the pages, and removes the cookie of that host', async () => {
    const ofOther = search({ client_id: other.web.client_id });
    const { cookie } = await other.visitor();
    for (const [at, query, sent, project_id, to] of [
      [serviceHost, fields, '', acme.project_id, `${own}/logout?${fields}`],
      ['evil.example', fields, '', acme.project_id, `${own}/logout?${fields}`],
      [host, ofOther, '', other.project_id, `${world.url}/logout?${ofOther}`],
      [host, '', cookie, other.project_id, `${world.url}/logout`],
    ] as const) {
      const answer = await atHost(world.url, at, `/logout?${query}`, { headers: { cookie: sent } });
      expect([answer.status, answer.headers['location']]).toEqual([302, to]);
      expect(answer.headers['set-cookie']).toMatch(
        new RegExp(`^session-${project_id}=;.*Max-Age=0`),
      );
    }
  });

  test('without a client gets 400 at the service', async () => {
    const { status, headers, body } = await atHost(world.url, serviceHost, '/logout');
    expect(status).toBe(400);
    expect(headers).not.toHaveProperty('location');
    expect(JSON.parse(body).detail).toContain('client_id or id_token_hint is required');
  });
});

test('links in responses are built from the setting, not from the Host header', async () => {
  const owner = await world.user({ project: acme.project });
  const made = await world.call<{ workspace_id: string; invitation_url: string }>({
    ...{ method: 'POST', path: '/workspaces', auth: acme.project.basic },
    body: { name: 'A', owner_id: owner.uid },
  });
  expect(made.body.invitation_url).toContain(`${own}/pages/${acme.project_id}/invitation?`);
  const read = (at: string) =>
    atHost(world.url, at, `/workspaces/${made.body.workspace_id}`, {
      headers: { authorization: acme.project.basic },
    });
  for (const at of ['evil.example', thirdHost, host]) {
    const { status, body: text } = await read(at);
    expect([status, JSON.parse(text).invitation_url]).toEqual([200, made.body.invitation_url]);
  }
});

test('the OpenID metadata names the service, not the Host header', async () => {
  for (const at of ['evil.example', host]) {
    const { body } = await atHost(world.url, at, '/.well-known/openid-configuration');
    expect(JSON.parse(body)).toMatchObject({
      issuer: world.url,
      authorization_endpoint: `${world.url}/authorize`,
    });
    expect(body).not.toContain(at);
  }
});
