import { describe, expect, test } from 'vitest';
import type { Captcha } from '#shared/access/projects.ts';
import { pageNames } from '#shared/contract/pages.ts';
import { keys } from '#shared/db/keys.ts';
import { hostedProject } from '../../support/hosted-pages.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const project = await hostedProject(world);
const get = (page: string, project_id: string = project.project_id) =>
  world.call<string>({ method: 'GET', path: `/pages/${project_id}/${page}` });

test.each(pageNames)('200 %s is a page whose files exist', async (page) => {
  const { status, headers, body: text } = await get(page);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  // An outdated page would refer to files that no longer exist.
  expect(headers.get('cache-control')).toBe('no-cache');
  const addresses = [...text.matchAll(/(?:src|href)="(?!data:)([^"]*)"/g)].map(([, url]) => url);
  expect(addresses).toHaveLength(2);
  for (const address of addresses) {
    const { pathname } = new URL(address ?? '', `https://id.example.com/pages/demo/${page}`);
    expect((await world.call({ method: 'GET', path: pathname })).status, pathname).toBe(200);
  }
});

describe('the policy of a page', () => {
  test('allows its own scripts and styles, connections to the service alone, and no frame', async () => {
    const { headers } = await get('sign-in');
    const policy = headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': expect.stringContaining('max-age='),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });

  test('is enough, because the page has no inline script, style or handler', async () => {
    const { body: text } = await get('sign-in');
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=/);
  });
});

describe('with a captcha', () => {
  const having = async (provider: Captcha['provider']) => {
    const place = await hostedProject(world);
    const captcha = {
      ...{ provider, site_key: 'KEY', rule: 'always' },
      hostnames: ['www.example.com'],
    };
    await world.table.update(keys.project(place.project_id), { captcha });
    return place.project_id;
  };
  const policyOf = async (page: string, project_id: string) => {
    const { status, headers, body: text } = await get(page, project_id);
    expect(status).toBe(200);
    return { policy: headers.get('content-security-policy')?.split('; '), headers, text };
  };

  test('a page may also frame pages of the service', async () => {
    const { policy = [] } = await policyOf('sign-in', await having('turnstile'));
    const usual = await policyOf('sign-in', project.project_id);
    expect(policy).toEqual([...(usual.policy ?? []), "frame-src 'self'"]);
  });

  test.each<[Captcha['provider'], string[]]>([
    [
      'turnstile',
      [
        "script-src 'self' https://challenges.cloudflare.com",
        "style-src 'unsafe-inline'",
        'frame-src https://challenges.cloudflare.com',
        "connect-src 'none'",
      ],
    ],
    [
      'hcaptcha',
      [
        "script-src 'self' https://hcaptcha.com https://*.hcaptcha.com",
        "style-src 'unsafe-inline' https://hcaptcha.com https://*.hcaptcha.com",
        'frame-src https://hcaptcha.com https://*.hcaptcha.com',
        'connect-src https://hcaptcha.com https://*.hcaptcha.com',
      ],
    ],
    [
      'recaptcha',
      [
        "script-src 'self' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/",
        "style-src 'unsafe-inline'",
        'frame-src https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/',
        "connect-src 'none'",
      ],
    ],
  ])(
    'the document of %s may contact the provider alone, and only pages of the service may frame it',
    async (provider, sources) => {
      const { policy, headers, text } = await policyOf('captcha', await having(provider));
      expect(policy).toEqual([
        "default-src 'none'",
        ...sources,
        ...["form-action 'none'", "base-uri 'none'", "frame-ancestors 'self'"],
      ]);
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
      expect(headers.get('referrer-policy')).toBe('strict-origin');
      const [, script = ''] = /src="\.\.([^"]*)"/.exec(text) ?? [];
      expect((await world.call({ method: 'GET', path: `/pages${script}` })).status).toBe(200);
      expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<(?:input|form)/);
    },
  );

  test('404 for the document of a project without a captcha', async () => {
    expect((await get('captcha')).status).toBe(404);
  });
});

test('404 for a project without hosted pages, with the same body as for an unknown project', async () => {
  const off = await world.newProject();
  const [without, unknown] = await Promise.all([
    get('sign-in', off.project_id),
    get('sign-in', 'nobody'),
  ]);
  expect([without.status, unknown.status]).toEqual([404, 404]);
  expect(without.body).toEqual({
    ...(unknown.body as unknown as object),
    request_id: expect.any(String),
  });
});

test.each([
  ['sign-in', 'nobody', 404],
  ['sign-in', 'No Body', 400],
  ['admin', undefined, 400],
] as const)(
  'a browser gets the refusal of %s in %s as a page, with %i',
  async (page, of, status) => {
    const response = await world.call<string>({
      method: 'GET',
      path: `/pages/${encodeURIComponent(of ?? project.project_id)}/${page}`,
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      'text/html; charset=utf-8',
    ]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.body).toContain('There is no such page.');
  },
);

test('200 for any query, even a long one', async () => {
  const query = `project_id=demo&state=${'s'.repeat(4_000)}&ui_locales=de%20en&page=x&page=y`;
  const { status, body } = await get(`sign-in?${query}`);
  expect(status).toBe(200);
  expect(body).toBe((await get('sign-in')).body);
});

test('400 for any other page', async () => {
  for (const page of ['admin', 'assets', 'sign-in.html', '..%2Fsign-in'])
    expect((await get(page)).body, page).toMatchObject({ code: 'invalid_request' });
});
