import { expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const show = (project_id: string) => world.call('GET', `/projects/${project_id}`);

const branding = {
  logo: `data:image/svg+xml;base64,${btoa('<svg/>')}`,
  color: '#0055ff',
  links: { home: 'https://acme.example', terms: 'https://acme.example/terms' },
};
const google = {
  issuer: 'https://accounts.google.com',
  client_ids: ['web', 'ios'],
  authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
};

test('200 without a credential and cacheable: only what a sign-in page shows', async () => {
  const jwks_uri = 'https://www.googleapis.com/oauth2/v3/certs';
  const { project_id } = await world.newProject({
    hosted_pages: true,
    branding,
    sign_up: true,
    workspace_creation: 'backend',
    workspace_roles: true,
    password_sign_in: true,
    code_sign_in: true,
    link_sign_in: true,
    mfa: 'optional',
    min_password_length: 12,
    identity_providers: { google: { ...google, jwks_uri } },
    sign_in_providers: {
      own: { client_id: 'x', issuer: 'https://id.example.com' },
      github: { client_id: 'ID' },
    },
    return_urls: ['https://acme.example/signed-in'],
    mail_sender: 'hello@acme.example.com',
    mail_links: { sign_up: 'https://acme.example/up' },
    invitation_base_url: 'https://acme.example/join',
  });
  await world.operate({
    action: 'create-client',
    project_id,
    client: 'web',
    client_name: 'Web app',
    redirect_uris: ['https://acme.example/callback'],
    confidential: true,
  });
  const { status, headers, body } = await show(project_id);
  expect(status).toBe(200);
  expect(body).toEqual({
    project_id,
    name: 'Test',
    branding,
    sign_up: true,
    workspace_creation: 'backend',
    workspace_roles: true,
    methods: {
      password: true,
      passkey: false,
      code: true,
      link: true,
      identity_providers: [{ name: 'google', ...google }],
      sign_in_providers: [
        { name: 'github', preset: 'github' },
        { name: 'own', preset: 'oidc' },
      ],
    },
    mfa: 'optional',
    min_password_length: 12,
  });
  expect(headers.get('cache-control')).toBe('public, max-age=60');
});

test('200 with the defaults of a project without settings', async () => {
  const { project_id } = await world.newProject({ hosted_pages: true });
  expect((await show(project_id)).body).toEqual({
    project_id,
    name: 'Test',
    sign_up: false,
    workspace_creation: 'backend',
    workspace_roles: false,
    methods: {
      password: false,
      passkey: false,
      code: false,
      link: false,
      identity_providers: [],
      sign_in_providers: [],
    },
    mfa: 'off',
    min_password_length: 15,
  });
});

test('404 with one body for an unknown project and one without hosted pages, not cacheable', async () => {
  const off = await world.newProject({ hosted_pages: false, branding });
  const unset = await world.newProject({ password_sign_in: true });
  const answers = await Promise.all(['nobodys', off.project_id, unset.project_id].map(show));
  for (const answer of answers) {
    expectProblem(answer, 'not_found');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
  const bodies = answers.map(({ body }) => ({ ...body, request_id: '', instance: '' }));
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
});

test('404 within a minute after hosted pages are turned off, and 200 after they are turned on', async () => {
  const { project_id } = await world.newProject({ hosted_pages: true });
  expect((await show(project_id)).status).toBe(200);
  const turn = (hosted_pages: boolean) =>
    world.operate({ action: 'update', project_id, hosted_pages });
  await turn(false);
  pass(61_000);
  expectProblem(await show(project_id), 'not_found');
  await turn(true);
  pass(61_000);
  expect((await show(project_id)).status).toBe(200);
});
