import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { sha256 } from '#shared/model/ids.ts';
import { aTime, expectProblem, unknownId } from '../../support/expectations.ts';
import { pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

type Summary = { project_id: string; secret: string; secrets: { secret_id: string }[] };

const world = await startWorld();
const operate = async (request: object) => (await world.operate(request)) as Summary;
/** Whether the secret authenticates the project. */
const opens = async ({ project_id, secret }: { project_id: string; secret: string }) => {
  const { workspaces } = world.as(world.basic({ project_id, secret }));
  const answer = await workspaces.list({ user_id: unknownId });
  if (answer.status === 401) expectProblem(answer, 'unauthenticated');
  else expectProblem(answer, 'not_found');
  return answer.status === 404;
};

/** The error message. Lambda logs thrown errors, so it must carry nothing else. */
async function failureOf(request: object): Promise<string> {
  const error = await operate(request).catch((reason: unknown) => reason as Error);
  expect(Object.getOwnPropertyNames(error).sort()).toEqual(['message', 'stack']);
  expect(inspect(error, { depth: 9 })).not.toMatch(/sha256|cursor_key|write_id/);
  return (error as Error).message;
}

function aProject(project_id: unknown, name: string, secrets = 1) {
  return {
    project_id,
    name,
    invitation_base_url: 'https://example.invalid/join',
    create_users_on_get: true,
    created_at: aTime(),
    modified_at: aTime(),
    secrets: Array.from({ length: secrets }, () => ({
      secret_id: expect.stringMatching(/^[0-9a-f]{8}$/),
      created_at: aTime(),
    })),
  };
}

test('create returns the secret of the new project once, and it works immediately', async () => {
  const made = await operate({ action: 'create', project_id: 'acme', name: 'Acme' });
  const secret = expect.stringMatching(/^wsk_[\w-]{49}$/);
  expect(made).toEqual({ ...aProject('acme', 'Acme'), secret });
  expect(await opens(made)).toBe(true);
  expect(await opens({ ...made, secret: `${made.secret}x` })).toBe(false);
});

test('the table has only the digest of a secret', async () => {
  const { project_id, secret } = await operate({ action: 'create', name: 'Secretive' });
  const everything = JSON.stringify(await world.table.all());
  expect(everything).not.toContain(secret);
  expect(everything).not.toContain(secret.slice(4, -6));
  const item = await world.table.get({ pk: `PROJECT#${project_id}`, sk: 'PROJECT' });
  expect(item?.['secrets']).toEqual([expect.objectContaining({ sha256: sha256(secret) })]);
});

test('create derives a unique id from the name if none is given', async () => {
  const name = 'Ünder & Söhne GmbH';
  const one = await operate({ action: 'create', name });
  const two = await operate({ action: 'create', name });
  expect(one.project_id).toMatch(/^nder-s-hne-gmbh-[0-9a-f]{8}$/);
  expect(two.project_id).not.toBe(one.project_id);
  expect((await operate({ action: 'create', name: '日本' })).project_id).toMatch(/^project-/);
});

test('create reports an existing id, and leaves that project unchanged', async () => {
  const first = await operate({ action: 'create', project_id: 'taken', name: 'First' });
  const error = await failureOf({ action: 'create', project_id: 'taken', name: 'Second' });
  expect(error).toBe('The project taken already exists.');
  expect(await opens(first)).toBe(true);
});

test('list shows every project, without secrets or digests', async () => {
  await operate({ action: 'create', project_id: 'listed', name: 'Listed' });
  const { projects } = (await world.operate({ action: 'list' })) as { projects: Summary[] };
  const ids = projects.map(({ project_id }) => project_id);
  expect(ids).toEqual([...new Set(ids)].sort());
  expect(ids).toContain(world.project.project_id);
  const listed = projects.find(({ project_id }) => project_id === 'listed');
  expect(listed).toEqual(aProject('listed', 'Listed'));
});

test('rotate-key: the new key works immediately and the previous one still does, but no older one', async () => {
  const { project_id, secret: first } = await operate({ action: 'create', name: 'Rotating' });
  const rotate = { action: 'rotate-key', project_id };
  expect(await opens({ project_id, secret: first })).toBe(true);
  const { secret: second, ...summary } = await operate(rotate);
  expect(summary).toEqual(aProject(project_id, 'Rotating', 2));
  // A wrong secret makes the instance read the project again once a second at most.
  pass(1_000);
  expect(await opens({ project_id, secret: second })).toBe(true);
  expect(await opens({ project_id, secret: first })).toBe(true);
  const { secret: third } = await operate(rotate);
  pass(61_000);
  const work = [first, second, third].map((secret) => opens({ project_id, secret }));
  expect(await Promise.all(work)).toEqual([false, true, true]);
});

test('rotate-key keeps up to ten valid keys', async () => {
  const made = await operate({ action: 'create', name: 'Many' });
  const { project_id } = made;
  let last = made;
  for (let i = 0; i < 9; i += 1)
    last = await operate({ action: 'rotate-key', project_id, keep: 9 });
  expect(last.secrets).toHaveLength(10);
  expect(await opens(made)).toBe(true);
  const eleventh = await operate({ action: 'rotate-key', project_id, keep: 9 });
  expect(eleventh.secrets).toHaveLength(10);
  pass(61_000);
  expect(await opens(made)).toBe(false);
  expect(await opens(last)).toBe(true);
});

test('update changes the given settings, which apply within a minute', async () => {
  const project = await world.newProject();
  const { project_id } = project;
  const { workspace_id } = await world.workspace({ owner: await world.user({ project }) });
  const invitation_base_url = 'https://acme.example/join';
  const changed = await operate({ action: 'update', project_id, invitation_base_url });
  expect(changed).toEqual({ ...aProject(project_id, 'Test'), invitation_base_url });
  expect(await operate({ action: 'update', project_id, name: 'Renamed' })).toEqual({
    ...aProject(project_id, 'Renamed'),
    invitation_base_url,
  });
  pass(61_000);
  const { body } = await world.as(project).workspaces.get({ workspace_id });
  const query = `project_id=${project_id}&workspace_id=${workspace_id}`;
  expect(body.invitation_url).toBe(`${invitation_base_url}?${query}`);
});

const signIn = {
  password_sign_in: true,
  code_sign_in: true,
  link_sign_in: true,
  ...{ sign_up: false, workspace_roles: true },
  ...{ new_device_mail: false, impersonation: 'notify', token_algorithm: 'ES256' },
  token_claims: ['external_id', 'app_metadata.plan'],
  ...{ min_password_length: 8, api_key_rate_limit: 600 },
  identity_providers: {
    google: {
      issuer: 'https://accounts.google.com',
      jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
      client_ids: ['web', 'ios'],
      authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    },
    'local-1_x': {
      ...{ issuer: 'http://localhost:8080', jwks_uri: 'http://[::1]:8080/jwks' },
      client_ids: ['app'],
    },
  },
  mail_sender: 'No-Reply@acme.example.com',
  mail_sender_name: 'Acme "&" Søns',
  mail_links: { sign_up: 'https://acme.example/up?a=b', change_email: 'http://localhost:5173/' },
  invitation_base_url: 'http://localhost:5173/join',
  hosted_pages: true,
  branding: {
    logo: `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"/>')}`,
    color: '#0055FF',
    links: {
      home: 'https://acme.example',
      terms: 'https://acme.example/terms',
      privacy: 'https://acme.example/privacy#cookies',
      support: 'http://localhost:5173/help',
    },
  },
};

test('create and update accept every setting of sign-in; list shows them', async () => {
  const given = { action: 'create', project_id: 'sign-in', name: 'Sign-in', ...signIn };
  const { secret: _, ...made } = await operate(given);
  const expected = { ...aProject('sign-in', 'Sign-in'), ...signIn };
  expect(made).toEqual(expected);
  const { projects } = (await world.operate({ action: 'list' })) as { projects: Summary[] };
  expect(projects.find(({ project_id }) => project_id === 'sign-in')).toEqual(expected);
  expect(await world.table.get({ pk: 'PROJECT#sign-in', sk: 'PROJECT' })).toMatchObject(signIn);
  const { project_id } = await world.newProject();
  expect(await operate({ action: 'update', project_id, ...signIn })).toEqual({
    ...aProject(project_id, 'Test'),
    ...signIn,
  });
});

test('update keeps other settings, replaces objects as a whole and unsets null', async () => {
  const { project_id } = await world.newProject(signIn);
  const update = (settings: object) => operate({ action: 'update', project_id, ...settings });
  const other = {
    client_ids: ['x'],
    issuer: 'https://id.example',
    jwks_uri: 'https://id.example/k',
  };
  const changes = { sign_up: true, identity_providers: { other }, mail_links: {} };
  expect(await update(changes)).toEqual({
    ...aProject(project_id, 'Test'),
    ...signIn,
    ...changes,
  });
  const unset = {
    ...{ min_password_length: null, api_key_rate_limit: null },
    identity_providers: null,
    token_claims: null,
    mail_sender: null,
    mail_sender_name: null,
    mail_links: null,
    branding: null,
  };
  const rest = {
    ...{ password_sign_in: true, code_sign_in: false, link_sign_in: true },
    sign_up: true,
    ...{ new_device_mail: false, impersonation: 'notify', token_algorithm: 'ES256' },
    ...{ hosted_pages: true, workspace_roles: true },
    invitation_base_url: signIn.invitation_base_url,
  };
  for (let i = 0; i < 2; i += 1)
    expect(await update({ code_sign_in: false, ...unset })).toEqual({
      ...aProject(project_id, 'Test'),
      ...rest,
    });
  const item = await world.table.get({ pk: `PROJECT#${project_id}`, sk: 'PROJECT' });
  expect(item).toMatchObject(rest);
  for (const name of Object.keys(unset)) expect(item).not.toHaveProperty(name);
});

test('update with null resets the invitation URL to that of a new project', async () => {
  const { project_id } = await world.newProject({ invitation_base_url: 'https://a.example/join' });
  const back = await operate({ action: 'update', project_id, invitation_base_url: null });
  expect(back).toEqual(aProject(project_id, 'Test'));
});

test('google requires only client_ids, and can have another issuer', async () => {
  const { google } = signIn.identity_providers;
  const { project_id } = await world.newProject();
  const update = async (given: object) =>
    operate({ action: 'update', project_id, identity_providers: { google: given } });
  const { client_ids } = google;
  const issuer = 'http://127.0.0.1:9';
  expect(await update({ client_ids })).toMatchObject({ identity_providers: { google } });
  expect(await update({ client_ids, issuer })).toMatchObject({
    identity_providers: { google: { ...google, issuer } },
  });
});

const provider = {
  issuer: 'https://id.example.com',
  jwks_uri: 'https://id.example.com/jwks',
  client_ids: ['a'],
};
const providers = (change: object, name = 'other') => ({
  identity_providers: { [name]: { ...provider, ...change } },
});
const anEmail = 'Must be an e-mail address under a registrable domain';
const aUrl = 'Must be an https URL, or http on this machine';
const anImage = 'Must be a data: URL of an image: SVG, PNG or WebP in base64';
test.each<[object, string]>([
  [{ password_sign_in: 'yes' }, 'password_sign_in: '],
  [{ code_sign_in: null }, 'code_sign_in: '],
  [{ sign_up: 1 }, 'sign_up: '],
  [{ min_password_length: 7 }, 'min_password_length: '],
  [{ min_password_length: 65 }, 'min_password_length: '],
  [{ min_password_length: 9.5 }, 'min_password_length: '],
  [{ api_key_rate_limit: 60_001 }, 'api_key_rate_limit: '],
  [{ mail_sender: 'nobody' }, `mail_sender: ${anEmail}`],
  [
    { mail_sender: 'kim@\u212aelvin.example.com' },
    'mail_sender: Must be ASCII, with the domain as in DNS, such as xn--bcher-kva.example',
  ],
  [{ mail_sender_name: '' }, 'mail_sender_name: '],
  [{ mail_sender_name: 'a\r\nBcc: b' }, 'mail_sender_name: Must not contain control characters'],
  [{ mail_links: { sign_up: 'http://a.example' } }, `mail_links.sign_up: ${aUrl}`],
  [
    { mail_links: { sign_up: 'https://a.example/#up' } },
    'mail_links.sign_up: Must not contain #: the token is added as the fragment',
  ],
  [{ hosted_pages: 'on' }, 'hosted_pages: '],
  [{ hosted_pages: null }, 'hosted_pages: '],
  [{ branding: { color: '#05f' } }, 'branding.color: Must be a color such as #0055ff'],
  [{ branding: { color: '#0055ff;}' } }, 'branding.color: Must be a color such as #0055ff'],
  [{ branding: { font: 'x' } }, 'branding: Unrecognized key: "font"'],
  [{ branding: { links: { blog: 'https://a.example' } } }, 'branding.links: Unrecognized key'],
  [{ branding: { links: { home: 'javascript:alert(1)' } } }, `branding.links.home: ${aUrl}`],
  ...[
    'https://a.example/logo.svg',
    'data:image/svg+xml,<svg/>',
    `data:image/png;base64,${btoa('<svg/>')}`,
    `data:image/svg+xml;base64,${btoa('<svg/>')}!`,
    `data:text/html;base64,${btoa('<svg/>')}`,
    'data:image/png;base64,',
  ].map((logo): [object, string] => [{ branding: { logo } }, `branding.logo: ${anImage}`]),
  [
    { branding: { logo: `data:image/svg+xml;base64,${btoa('<svg/>'.padEnd(6_124))}` } },
    'branding.logo: Too big',
  ],
  [{ mail_links: { sign_in: 'https://a.example' } }, 'mail_links: Unrecognized key: "sign_in"'],
  [{ identity_providers: { google: {} } }, 'identity_providers.google.client_ids: '],
  [{ identity_providers: { google: 'web' } }, 'identity_providers.google: '],
  [{ identity_providers: [] }, 'identity_providers: '],
  [
    { identity_providers: { other: { client_ids: ['a'] } } },
    'identity_providers.other.issuer: Invalid input: expected string, received undefined; identity_providers.other.jwks_uri: ',
  ],
  [providers({ client_ids: [] }), 'identity_providers.other.client_ids: '],
  [providers({ client_ids: [''] }), 'identity_providers.other.client_ids.0: '],
  [providers({ client_ids: Array(21).fill('a') }), 'identity_providers.other.client_ids: '],
  [providers({ audience: 'a' }), 'identity_providers.other: '],
  ...[
    'http://id.example.com',
    'http://localhost.example.com',
    'http://localhost:80@id.example.com',
    'http://127.0.0.1.example.com',
    'ftp://localhost',
    'localhost',
  ].map((issuer): [object, string] => [
    providers({ issuer }),
    `identity_providers.other.issuer: ${aUrl}`,
  ]),
  ...['idpw', 'email_link', 'totp', 'Google', '1st', 'a.b', '', 'a'.repeat(33)].map(
    (name): [object, string] => [
      providers({}, name),
      `identity_providers.${name}: Must have a name of 1 to 32 of a-z, 0-9, _ and -, starting with a letter, and not idpw, email_code, email_link, passkey, project, totp, recovery_code`,
    ],
  ),
])(
  '%j is refused with the name of the setting, on create and on update',
  async (setting, sentence) => {
    const project_id = 'refused';
    const name = 'Refused';
    expect(await failureOf({ action: 'create', project_id, name, ...setting })).toContain(sentence);
    expect(await failureOf({ action: 'update', project_id, ...setting })).toContain(sentence);
    expect(await world.table.get({ pk: 'PROJECT#refused', sk: 'PROJECT' })).toBeUndefined();
  },
);

test('an error names every invalid setting', async () => {
  const sentence = await failureOf({
    action: 'update',
    project_id: 'acme',
    sign_up: 'no',
    mail_sender: 'x',
    mail_links: { up: 'https://a.example', sign_up: 'a' },
    identity_providers: { IDP: provider, other: { ...provider, issuer: 'x', client_ids: [] } },
  });
  const named = sentence.split('; ').map((each) => each.slice(0, each.indexOf(':')));
  expect(named.sort()).toEqual([
    'identity_providers.IDP',
    'identity_providers.other.client_ids',
    'identity_providers.other.issuer',
    'mail_links',
    'mail_links.sign_up',
    'mail_sender',
    'sign_up',
  ]);
});

test.each([{ action: 'update', name: 'x' }, { action: 'rotate-key' }])(
  '$action reports an unknown project, and creates none',
  async (request) => {
    const project_id = 'nobodys';
    const error = await failureOf({ ...request, project_id });
    expect(error).toBe('The project nobodys does not exist.');
    expect(await world.table.get({ pk: 'PROJECT#nobodys', sk: 'PROJECT' })).toBeUndefined();
  },
);

test('an error names every invalid field', async () => {
  const wrong = {
    action: 'create',
    project_id: 'Not An Id',
    name: '',
    invitation_base_url: 'http://example.com',
    secret: 'mine',
  };
  const refused = operate(wrong);
  for (const field of ['project_id', 'name', 'invitation_base_url', 'secret'])
    await expect(refused).rejects.toThrow(field);
  await expect(operate({ action: 'delete' })).rejects.toThrow('action');
  await expect(operate({ ...wrong, project_id: 'assets' })).rejects.toThrow('not be assets');
  const rotate = { action: 'rotate-key', project_id: 'acme' };
  await expect(operate({ ...rotate, keep: 10 })).rejects.toThrow('keep');
});
