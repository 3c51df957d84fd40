import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
let names = 0;
const newName = () => {
  names += 1;
  return `okta${names}`;
};
const newId = async () => (await world.newProject()).project_id;
const client_id = 'ID';
const [ours, theirs] = ['https://ours.okta.example', 'https://theirs.okta.example'];
const update = (project_id: string, sign_in_providers: object | null, more: object = {}) =>
  world.operate({ action: 'update', project_id, sign_in_providers, ...more });
/** Configures a provider with this issuer and name in a project. */
const use = (project_id: string, name: string, issuer: string, more: object = {}) =>
  update(project_id, { [name]: { client_id, issuer } }, more);
const guardOf = (name: string) => world.table.get(keys.providerName(name));
const issuerAt = async (project_id: string, name: string) => {
  const { sign_in_providers = {} } = ((await world.table.get(keys.project(project_id))) ?? {}) as {
    sign_in_providers?: Record<string, { issuer?: string }>;
  };
  return sign_in_providers[name]?.issuer;
};
/** The state that a release without guards left. */
const forgetGuard = (name: string) => world.table.delete(keys.providerName(name));

describe('the name of a provider stands for one issuer in all projects:', () => {
  test('another issuer is refused, with the field but not the known issuer, and nothing changes', async () => {
    const [a, b] = [await newId(), await newId()];
    const [name, second] = [newName(), newName()];
    await update(a, { [name]: { client_id, issuer: ours }, [second]: { client_id, issuer: ours } });
    const refused = update(
      b,
      { [name]: { client_id, issuer: theirs }, [second]: { client_id, issuer: theirs } },
      { name: 'B' },
    );
    await expect(refused).rejects.toThrow(
      [name, second]
        .map(
          (each) =>
            `sign_in_providers.${each}: The name stands for another issuer in another project. Choose another name, such as acme-${each}`,
        )
        .join('; '),
    );
    await expect(refused).rejects.not.toThrow(ours);
    expect(await world.table.get(keys.project(b))).toMatchObject({ name: 'Test' });
    expect(await issuerAt(b, name)).toBeUndefined();
    expect(await guardOf(name)).toMatchObject({ issuer: ours, project_ids: [a] });
  });

  test('every project can use it for the same issuer, and none of several can change the issuer', async () => {
    const [a, b] = [await newId(), await newId()];
    const name = newName();
    await use(a, name, ours);
    await use(b, name, ours);
    expect(await guardOf(name)).toMatchObject({ issuer: ours, project_ids: [a, b] });
    await expect(use(a, name, theirs)).rejects.toThrow(`sign_in_providers.${name}`);
    expect(await issuerAt(a, name)).toBe(ours);
  });

  test('the only project that uses it can change the issuer, and frees the name by removing it', async () => {
    const [a, b] = [await newId(), await newId()];
    const name = newName();
    await use(a, name, ours);
    await use(a, name, theirs);
    expect(await guardOf(name)).toMatchObject({ issuer: theirs, project_ids: [a] });
    await update(a, null);
    expect(await guardOf(name)).toBeUndefined();
    await use(b, name, ours);
    expect(await guardOf(name)).toMatchObject({ issuer: ours, project_ids: [b] });
    await update(b, {});
    expect(await guardOf(name)).toBeUndefined();
  });

  test('a preset with installations follows the same rule, and the refusal suggests another name', async () => {
    const [a, b] = [await newId(), await newId()];
    await update(a, { gitlab: { client_id } });
    await update(b, { gitlab: { client_id, issuer: 'https://gitlab.com' } });
    const own = { gitlab: { client_id, issuer: 'https://gitlab.acme.example' } };
    await expect(update(a, own)).rejects.toThrow('such as acme-gitlab, with "preset": "gitlab"');
    await update(a, { 'acme-gitlab': { preset: 'gitlab', ...own.gitlab } });
    expect(await guardOf('gitlab')).toMatchObject({ project_ids: [b] });
  });

  test('a preset without installations has no guard, because its endpoints are the same for all', async () => {
    const [a, b] = [await newId(), await newId()];
    await update(a, { google: { client_id }, microsoft: { client_id, tenant: 'common' } });
    await update(b, { google: { client_id }, microsoft: { client_id, tenant: 'organizations' } });
    expect(await guardOf('google')).toBeUndefined();
    expect(await guardOf('microsoft')).toBeUndefined();
  });

  test('a new project is refused another issuer and is not created', async () => {
    const a = await newId();
    const name = newName();
    await use(a, name, ours);
    const create = (project_id: string, issuer: string) =>
      world.operate({
        ...{ action: 'create', project_id, name: 'Acme' },
        sign_in_providers: { [name]: { client_id, issuer } },
      });
    await expect(create('new-one', theirs)).rejects.toThrow(`sign_in_providers.${name}`);
    expect(await world.table.get(keys.project('new-one'))).toBeUndefined();
    await create('new-one', ours);
    expect(await guardOf(name)).toMatchObject({ project_ids: [a, 'new-one'] });
    // As after a lost response.
    await expect(create('new-one', ours)).rejects.toThrow('The project new-one already exists.');
    expect(await guardOf(name)).toMatchObject({ project_ids: [a, 'new-one'] });
  });
});

test('a repeated request, as after a lost response, changes nothing', async () => {
  const a = await newId();
  const name = newName();
  await use(a, name, ours);
  const guard = await guardOf(name);
  await use(a, name, ours);
  expect(await guardOf(name)).toEqual(guard);
  await update(a, null);
  await update(a, null);
  expect(await guardOf(name)).toBeUndefined();
});

describe('of concurrent commands', () => {
  test('by five projects with five issuers, one gets the name', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, newId));
    const name = newName();
    const results = await Promise.allSettled(
      ids.map((id) => use(id, name, `https://${id}.example`)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const issuers = await Promise.all(ids.map((id) => issuerAt(id, name)));
    const owner = ids.find((_, i) => issuers[i] !== undefined);
    expect(issuers.filter((issuer) => issuer !== undefined)).toHaveLength(1);
    expect(await guardOf(name)).toMatchObject({
      issuer: `https://${owner}.example`,
      project_ids: [owner],
    });
  });

  test('on one project, the guard is that of its final setting', async () => {
    const a = await newId();
    const [first, second] = [newName(), newName()];
    await Promise.allSettled([use(a, first, ours), use(a, second, ours)]);
    for (const name of [first, second])
      expect((await guardOf(name)) !== undefined, name).toBe((await issuerAt(a, name)) === ours);
  });

  test('to change the issuer and to join the name, both end with one issuer', async () => {
    const [a, b] = [await newId(), await newId()];
    const name = newName();
    await use(a, name, ours);
    await Promise.allSettled([use(a, name, theirs), use(b, name, ours)]);
    const used = [await issuerAt(a, name), await issuerAt(b, name)];
    expect(new Set(used.filter((issuer) => issuer !== undefined)).size).toBe(1);
  });
});

describe('a request with a provider and a domain', () => {
  test('guards both', async () => {
    const a = await newId();
    const name = newName();
    const pages_domain = `${name}.acme.example`;
    await use(a, name, ours, { pages_domain });
    expect(await guardOf(name)).toMatchObject({ project_ids: [a] });
    expect(await world.table.get(keys.pagesDomain(pages_domain))).toMatchObject({ project_id: a });
  });

  test('changes neither if the domain or the name is taken', async () => {
    const [a, b] = [await newId(), await newId()];
    const [name, free] = [newName(), newName()];
    const pages_domain = `${name}.acme.example`;
    await use(a, name, ours, { pages_domain });
    await expect(use(b, free, ours, { pages_domain })).rejects.toThrow('pages_domain: ');
    expect(await guardOf(free)).toBeUndefined();
    const other = `${free}.acme.example`;
    await expect(use(b, name, theirs, { pages_domain: other })).rejects.toThrow(
      `sign_in_providers.${name}`,
    );
    expect(await world.table.get(keys.pagesDomain(other))).toBeUndefined();
    expect(await world.table.get(keys.project(b))).not.toHaveProperty('pages_domain');
  });
});

describe('settings from before there were guards', () => {
  test('count too, and get a guard with the next project', async () => {
    const [a, b, c] = [await newId(), await newId(), await newId()];
    const name = newName();
    await use(a, name, ours);
    await forgetGuard(name);
    await expect(use(b, name, theirs)).rejects.toThrow(`sign_in_providers.${name}`);
    await use(c, name, ours);
    expect(await guardOf(name)).toMatchObject({ issuer: ours, project_ids: [a, c] });
  });

  test('that contradict each other can be changed, until one project takes another name', async () => {
    const [a, b, c] = [await newId(), await newId(), await newId()];
    const [name, another] = [newName(), newName()];
    await use(a, name, ours);
    await forgetGuard(name);
    await world.table.put({
      ...(await world.table.get(keys.project(b))),
      ...keys.project(b),
      sign_in_providers: { [name]: { preset: 'oidc', client_id, issuer: theirs } },
    });
    await update(b, {
      [name]: { client_id, issuer: theirs },
      [another]: { client_id, issuer: theirs },
    });
    for (const issuer of [ours, theirs])
      await expect(use(c, name, issuer)).rejects.toThrow(`sign_in_providers.${name}`);
    await use(b, another, theirs);
    expect(await guardOf(name)).toMatchObject({ issuer: ours, project_ids: [a] });
    await use(c, name, ours);
  });
});

test('an unknown project cannot use a name', async () => {
  const name = newName();
  await expect(use('nobody', name, ours)).rejects.toThrow('The project nobody does not exist.');
  expect(await guardOf(name)).toBeUndefined();
});
