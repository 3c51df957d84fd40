import { afterEach, expect, test, vi } from 'vitest';
import type { Command } from '../../bin/flags.ts';
import { main as workspacesExport } from '../../bin/workspaces-export.ts';
import { main as workspacesImport } from '../../bin/workspaces-import.ts';
import type { Workspace } from '../../shared/model/workspace-resources.ts';
import { expectProblem } from '../support/expectations.ts';
import { startWorld, type TestProject } from '../support/world.ts';
import { newFiles } from './folder.ts';
import { call } from './run.ts';

const world = await startWorld({ subscribers: false });

const { at, readRows: read, writeRows: write } = newFiles();
afterEach(() => vi.restoreAllMocks());

const command = (main: Command, { project_id, secret }: TestProject, file: string) =>
  call(main, [at(file), '--project', project_id, '--url', world.url], {
    env: { PROJECT_SECRET: secret },
  });

/** Runs a hook before or after each request of the commands. */
function aroundEachRequest({
  before,
  after,
}: {
  before?: (path: string) => Promise<unknown>;
  after?: (method: string, path: string) => Promise<unknown>;
}): void {
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { pathname } = new URL(String(input));
    await before?.(pathname);
    const answer = await fetch(input, init);
    await after?.(init?.method ?? 'GET', pathname);
    return answer;
  });
}

/** A project with the users of the lines below. */
async function newProject() {
  const project = await world.newProject();
  const person = (name: string) =>
    world.user({ project, email: `${name}@asks.example.com`, verified: true });
  return {
    project,
    ada: await person('ada'),
    grace: await person('grace'),
    eve: await person('eve'),
  };
}
const engines = {
  ...{ name: 'Engines', external_id: 'o1', owner: { email: 'ada@asks.example.com' } },
  members: [{ email: 'grace@asks.example.com', role: 'admin', suspended: true }],
  allowed_domains: ['asks.example.com', 'joins.example.com'],
  domain_modes: { 'asks.example.com': 'suggest' },
};
async function importedInto(project: TestProject): Promise<Workspace> {
  await world.drainStream();
  const { body } = await world.as(project).workspaces.list({ external_id: 'o1' });
  const [workspace] = (body as { result: Workspace[] }).result;
  if (!workspace) throw new Error('There is no workspace.');
  return workspace;
}

test('export and import give no access to suspended members or users with a suggested domain', async () => {
  const from = await newProject();
  const workspace = await world.workspace({ owner: from.ada, name: 'Engines' });
  const { workspace_id } = workspace;
  await world.member(workspace, 'admin', from.grace);
  const { members, domains, workspaces } = world.as(from.project);
  await members.suspend({ workspace_id, user_id: from.grace.uid, suspended: true });
  await domains.set({ workspace_id, domain: 'asks.example.com', mode: 'suggest' });
  await domains.set({ workspace_id, domain: 'joins.example.com', mode: 'auto' });
  await workspaces.update({ workspace_id, external_id: 'o1' });
  await world.drainStream();
  expect((await command(workspacesExport, from.project, 'out.jsonl')).code).toBe(0);
  expect(await read('out.jsonl')).toEqual([{ workspace_id, ...engines }]);

  const to = await newProject();
  const seen = new Set<unknown>();
  aroundEachRequest({
    async after(method, path) {
      const [, , id = ''] = path.split('/');
      if (method === 'GET' || id === '') return;
      const [item] = await world.table.query(`WS#${id}`, 'WS');
      const modes = (item?.['domain_modes'] ?? {}) as Record<string, string>;
      seen.add(modes['asks.example.com']);
    },
  });
  const moved = await command(workspacesImport, to.project, 'out.jsonl');
  vi.restoreAllMocks();
  expect(moved.stdout).toBe('1 workspaces: 1 created.\n');
  // At no moment has the import allowed strangers to join.
  expect(seen).toEqual(new Set([undefined, 'suggest']));
  const { workspace_id: imported } = await importedInto(to.project);
  const listed = (await world.as(to.project).domains.list({ workspace_id: imported })).body;
  expect((listed as { result: object[] }).result).toEqual([
    expect.objectContaining({ domain: 'joins.example.com', mode: 'auto' }),
    expect.objectContaining({ domain: 'asks.example.com', mode: 'suggest' }),
  ]);
  expectProblem(await world.as(to.grace).workspaces.get({ workspace_id: imported }), 'not_found');
  const joining = { workspace_id: imported, user_id: to.eve.uid };
  expectProblem(await world.as(to.eve).members.join(joining), 'approval_required');
});

test('a run suspends a member whom an interrupted run added without the suspension', async () => {
  const { project, grace } = await newProject();
  const [member] = engines.members;
  await write('died.jsonl', { ...engines, members: [{ ...member, suspended: false }] });
  await command(workspacesImport, project, 'died.jsonl');
  const { workspace_id } = await importedInto(project);
  expect((await world.as(grace).workspaces.get({ workspace_id })).status).toBe(200);
  for (const role of ['admin', 'member']) {
    await write('died.jsonl', { ...engines, members: [{ ...member, role }] });
    await command(workspacesImport, project, 'died.jsonl');
    // The member has another role now: the line is reported, but the member is still suspended.
    expectProblem(await world.as(grace).workspaces.get({ workspace_id }), 'not_found');
    const { suspend } = world.as(project).members;
    await suspend({ workspace_id, user_id: grace.uid, suspended: false });
  }
});

test('reports every invalid domain mode and suspension', async () => {
  const { project } = await newProject();
  const errorsOf = async (more: object) => {
    await write('wrong.jsonl', { ...engines, ...more });
    await command(workspacesImport, project, 'wrong.jsonl');
    const [line] = await read('wrong.jsonl.errors.jsonl');
    return line?.['errors'];
  };
  const [member] = engines.members;
  expect(
    await errorsOf({
      domain_modes: { 'asks.example.com': 'off', 'other.example.com': 'suggest' },
      members: [{ ...member, suspended: 'yes' }],
    }),
  ).toEqual([
    'domain_modes/asks.example.com: Must be auto or suggest; domain_modes/other.example.com: Must be one of allowed_domains; members/0/suspended: Must be true or false',
  ]);
  expect(await errorsOf({ domain_modes: [] })).toEqual(['domain_modes: Must be an object']);
  expect(await errorsOf({ allowed_domains: [5] })).toEqual([
    'allowed_domains: Must be an array of domains',
  ]);
});

test.each([
  ['its members', '/users'],
  ['its roles', '/roles'],
  ['its domains', '/allowed_domains'],
])('leaves out a workspace that is deleted before %s are read', async (_, rest) => {
  const { project, ada } = await newProject();
  const { domains, workspaces } = world.as(project);
  const names = ['Kept', 'Deleted', 'Kept too'];
  const ids: string[] = [];
  for (const name of names) {
    const { workspace_id } = await world.workspace({ owner: ada, name });
    await domains.set({ workspace_id, domain: 'asks.example.com', mode: 'suggest' });
    ids.push(workspace_id);
  }
  await world.drainStream();
  const [, workspace_id = ''] = ids;
  const deleted = `/workspaces/${workspace_id}`;
  aroundEachRequest({
    before: async (path) => path === deleted + rest && workspaces.delete({ workspace_id }),
  });
  const { stdout, stderr, code } = await command(
    workspacesExport,
    project,
    `${project.project_id}.jsonl`,
  );
  expect([stderr, code]).toEqual(['', 0]);
  expect(stdout).toMatch(/^2 workspaces written/);
  expect((await read(`${project.project_id}.jsonl`)).map(({ name }) => name)).toEqual([
    'Kept',
    'Kept too',
  ]);
});

test('an unexpected error for an existing workspace ends the export', async () => {
  const { project, ada } = await newProject();
  await world.workspace({ owner: ada });
  await world.drainStream();
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
    fetch(String(input).replace(/\/roles$/, '/no-such-route'), init),
  );
  const { stderr, code } = await command(workspacesExport, project, 'refused.jsonl');
  expect([stderr, code]).toEqual([expect.stringMatching(/answers 404 to GET .*\/roles/), 1]);
});
