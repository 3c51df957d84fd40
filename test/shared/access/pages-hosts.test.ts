/** @module-tag engine */
import { expect, test, vi } from 'vitest';
import {
  arePagesAt,
  mailLinkUrl,
  originAt,
  pageUrl,
  requireHostedPagesAt,
} from '#shared/access/hosted-pages.ts';
import type { Project } from '#shared/access/projects.ts';
import { keys } from '#shared/db/keys.ts';
import { openFaultyTable } from '../../support/faults.ts';
import { request } from '../../support/request.ts';

const faults = await openFaultyTable();

const deployed = 'https://id.example.com';
const local = 'http://localhost:3000';
const pages_domain = 'auth.acme.example';

test.each([
  ['the host of the service', deployed, undefined, 'id.example.com', true],
  ['the domain of the project', deployed, pages_domain, pages_domain, true],
  ['the service, if the project has a domain', deployed, pages_domain, 'id.example.com', false],
  ['a foreign host', deployed, undefined, 'evil.example', false],
  ['localhost, in a deployment', deployed, undefined, 'localhost', false],
  ['another name of this machine', local, undefined, '127.0.0.1', true],
  ['another address of this machine', local, undefined, '127.20.30.40', true],
  ['the IPv6 address of this machine', local, undefined, '[::1]', true],
  ['this machine, if the project has a domain', local, pages_domain, '127.0.0.1', false],
  ['a foreign host, on this machine', local, undefined, 'evil.example', false],
  ['a name that ends with localhost', local, undefined, 'evil-localhost', false],
  ['a name that begins with localhost', local, undefined, 'localhost.evil.example', false],
  ['a name that begins with 127.0.0.1', local, undefined, '127.0.0.1.evil.example', false],
  ['an invalid address that begins with 127.0.0', local, undefined, '127.0.0.evil', false],
])('whether the pages of a project are at its host: %s', (_, base, domain, host, are) => {
  vi.stubEnv('BASE_URL', base);
  const project = { project_id: 'demo', ...(domain !== undefined && { pages_domain: domain }) };
  expect(arePagesAt(project, host)).toBe(are);
});

test('a pages domain replaces the host name of the address, but not protocol and port', () => {
  vi.stubEnv('BASE_URL', local);
  expect(originAt(pages_domain)).toBe(`http://${pages_domain}:3000`);
  const project = { project_id: 'demo', pages_domain };
  const at = `http://${pages_domain}:3000/pages/demo`;
  expect(pageUrl(project, 'sign-in')).toBe(`${at}/sign-in`);
  const hosted = { ...project, hosted_pages: true } as Project;
  expect(mailLinkUrl(hosted, 'sign_in_link')).toBe(`${at}/sign-in-link`);
});

test("the project's data is available at its domain and at the service, and nowhere else", async () => {
  vi.stubEnv('BASE_URL', deployed);
  const project = { project_id: 'hosted', hosted_pages: true, pages_domain };
  await faults.seed([{ ...keys.project('hosted'), ...project }]);
  const at = (host: string) => request(() => requireHostedPagesAt('hosted', host));
  for (const host of [pages_domain, 'id.example.com'])
    expect(await at(host)).toMatchObject({ project_id: 'hosted' });
  for (const host of ['evil.example', 'localhost'])
    await expect(at(host)).rejects.toMatchObject({ code: 'not_found' });
  expect(pageUrl({ project_id: 'hosted' }, 'sign-in')).toBe(`${deployed}/pages/hosted/sign-in`);
});
