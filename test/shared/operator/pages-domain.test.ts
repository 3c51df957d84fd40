import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
let names = 0;
const newName = () => {
  names += 1;
  return `auth${names}.acme.example`;
};
const update = (project_id: string, pages_domain: string | null, more: object = {}) =>
  world.operate({ action: 'update', project_id, pages_domain, ...more }) as Promise<{
    pages_domain?: string;
    name: string;
  }>;
const guardOf = (domain: string) => world.table.get(keys.pagesDomain(domain));
const newId = async () => (await world.newProject()).project_id;

test('a project can take a domain, with other settings, change it and remove it', async () => {
  const project_id = await newId();
  const [first, second] = [newName(), newName()];
  const made = await update(project_id, first, { name: 'Acme' });
  expect(made).toMatchObject({ name: 'Acme', pages_domain: first });
  expect(await guardOf(first)).toMatchObject({ project_id });
  // As after a lost response.
  expect(await update(project_id, first)).toMatchObject({ pages_domain: first });
  expect(await update(project_id, second)).toMatchObject({ pages_domain: second });
  expect(await guardOf(first)).toBeUndefined();
  expect(await update(project_id, null)).not.toHaveProperty('pages_domain');
  expect(await update(project_id, null)).not.toHaveProperty('pages_domain');
  expect(await guardOf(second)).toBeUndefined();
});

describe('a domain belongs to one project:', () => {
  test('another project is refused it and keeps its own, until the domain is free', async () => {
    const [a, b] = [await newId(), await newId()];
    const [taken, before] = [newName(), newName()];
    await update(a, taken);
    await update(b, before);
    await expect(update(b, taken, { name: 'B' })).rejects.toThrow(
      `pages_domain: ${taken} is the domain of another project.`,
    );
    expect(await world.table.get(keys.project(b))).toMatchObject({
      name: 'Test',
      pages_domain: before,
    });
    expect(await guardOf(before)).toMatchObject({ project_id: b });
    expect(await guardOf(taken)).toMatchObject({ project_id: a });
    await update(a, null);
    expect(await update(b, taken)).toMatchObject({ pages_domain: taken });
  });

  test('of five projects that take it concurrently, one gets it', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, newId));
    const domain = newName();
    const results = await Promise.allSettled(ids.map((id) => update(id, domain)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const stored = await Promise.all(ids.map((id) => world.table.get(keys.project(id))));
    const owners = stored.filter((item) => item?.['pages_domain'] === domain);
    expect(owners).toHaveLength(1);
    expect(await guardOf(domain)).toMatchObject({ project_id: owners[0]?.['project_id'] });
  });

  test('a project that takes two concurrently has one, and leaves no guard of the other', async () => {
    const project_id = await newId();
    const domains = [newName(), newName()];
    await Promise.allSettled(domains.map((domain) => update(project_id, domain)));
    const { pages_domain } = (await world.table.get(keys.project(project_id))) ?? {};
    expect(domains).toContain(pages_domain);
    for (const domain of domains)
      expect((await guardOf(domain)) !== undefined, domain).toBe(domain === pages_domain);
  });
});

test.each([
  ...['https://auth.acme.example', 'auth.acme.example:443', 'auth.acme.example/x'],
  ...['auth.acme.example.', 'Auth.acme.example', 'acme', 'localhost', '192.0.2.1', '[::1]'],
  ...['-auth.acme.example', 'auth..example', 'a@auth.acme.example'],
  ...['auth.acme.example\r\nx: y'],
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(125)}example`,
  '',
])('%j is not a domain', async (domain) => {
  const project_id = await newId();
  await expect(update(project_id, domain)).rejects.toThrow(
    'pages_domain: Must be a host name in lower case such as auth.example.com',
  );
});

test('an unknown project is refused one, and a new project cannot be created with one', async () => {
  const domain = newName();
  await expect(update('nobody', domain)).rejects.toThrow('The project nobody does not exist.');
  expect(await guardOf(domain)).toBeUndefined();
  await expect(
    world.operate({ action: 'create', name: 'Acme', pages_domain: domain }),
  ).rejects.toThrow('pages_domain');
});
