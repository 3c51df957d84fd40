import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { consolePage } from '../../support/console-page.ts';
import { published } from '../../support/imported-hashes.ts';
import { stackName } from '../assembly.ts';
import { npmWith } from '../cdk.ts';
import { eventually } from '../checks.ts';
import { command } from '../operator.ts';
import type { World } from '../world.ts';

const [, password, password_hash] = published[0];

type Line = Record<string, unknown>;

/** An operator's commands with files, and the console, on a machine that has only the stack's name. */
export async function operatorCommands(
  world: World,
  baseUrl: string,
  folder: string,
): Promise<void> {
  const { checks, backend, anyone, project } = world;
  const { project_id } = project;
  const env = {
    NODE_OPTIONS: `--import=${join(import.meta.dirname, '../front-door.mjs')}`,
    FRONT_DOOR_FOR: new URL(baseUrl).hostname,
    FRONT_DOOR_PORT: new URL(world.url).port,
  };
  const at = (file: string) => join(folder, file);
  const write = (file: string, rows: Line[]) =>
    writeFile(at(file), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const read = async (file: string): Promise<Line[]> =>
    (await readFile(at(file), 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  const run = (script: string, ...args: string[]) =>
    npmWith(env, script, ...args, '--project', project_id, '--stack', stackName);
  const secretsBefore = await namesOfSecrets(project_id);

  await checks.check('users:import creates users with their passwords, once', async () => {
    const people = ['one', 'two', 'three'].map((name) => ({
      email: `${name}@brought.example`,
      external_id: `crm-${name}`,
      password_hash,
    }));
    await write('users.jsonl', people);
    const bring = () => run('users:import', at('users.jsonl'), '--from', 'jsonl');
    equal(await bring(), '3 users: 3 created.\n');
    equal(await bring(), '3 users: 3 existed.\n');
    const email = 'one@brought.example';
    const { body } = await anyone.passwords.signIn({ project_id, email, password });
    equal(body.user.email, email);
  });
  await checks.check('workspaces:import creates workspaces with their members', async () => {
    const row = {
      ...{ name: 'Brought', external_id: 'org-1', owner: { external_id: 'crm-one' } },
      members: [{ email: 'two@brought.example', role: 'admin' }],
    };
    await write('workspaces.jsonl', [row]);
    equal(await run('workspaces:import', at('workspaces.jsonl')), '1 workspaces: 1 created.\n');
    const { result } = (await backend.workspaces.list({ external_id: 'org-1' })).body;
    equal(result[0]?.total_member_count, 2);
  });
  await checks.check('the exports contain them, with hashes if requested', async () => {
    await eventually('list with all of them', async () => {
      const { result } = (await backend.users.list({ query: 'three@brought' })).body;
      const found = (await backend.workspaces.list({ query: 'brought' })).body.result;
      return result.length > 0 && found.length > 0 ? true : undefined;
    });
    match(await run('users:export', at('out.jsonl'), '--with-password-hashes'), /users written/);
    const users = await read('out.jsonl');
    const hashOf = (name: string) =>
      users.find(({ external_id }) => external_id === `crm-${name}`)?.['password_hash'];
    equal(hashOf('two'), password_hash);
    // The sign-in has replaced it.
    match(String(hashOf('one')), /^\$argon2id\$/);
    match(await run('workspaces:export', at('places.jsonl')), /workspaces written/);
    const place = (await read('places.jsonl')).find((each) => each['external_id'] === 'org-1');
    deepEqual(place?.['members'], [{ email: 'two@brought.example', role: 'admin' }]);
  });
  await checks.check('users:drop-hash-kinds keeps a kind that two users have', async () => {
    match(await run('users:drop-hash-kinds', '--now'), /^bcrypt \(.+\): 2 users have such a hash/);
  });
  await checks.check('project:roles defines the roles of a file', async () => {
    const apply = async (content: object) => {
      await writeFile(at('roles.json'), JSON.stringify(content));
      return run('project:roles', at('roles.json'));
    };
    const permissions = { 'ship:sail': {} };
    const roles = { captain: { permissions: ['ship:sail'] } };
    match(await apply({ permissions, roles }), /role captain: permissions \+ship:sail\n/);
    const { permissions: held } = (await backend.roles.get({ role: 'captain' })).body;
    deepEqual(held, ['ship:sail']);
    await backend.roles.delete({ role: 'captain' });
    await backend.permissions.delete({ permission: 'ship:sail' });
  });
  await checks.check('the console shows and changes users of the stack', () =>
    console(project_id, env),
  );
  await checks.check('no secret of the commands is left', async () => {
    deepEqual(await namesOfSecrets(project_id), secretsBefore);
  });
}

async function namesOfSecrets(project_id: string): Promise<(string | undefined)[]> {
  const { secrets } = await command<{ secrets: { name?: string }[] }>(
    'project:list-secrets',
    '--project',
    project_id,
  );
  return secrets.map(({ name }) => name);
}

/** Starts the console, signs in like its page, and ends it. */
async function console(project_id: string, env: NodeJS.ProcessEnv): Promise<void> {
  const args = [join(import.meta.dirname, '../../../bin/console.ts'), '--stack', stackName];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    const { call } = await consolePage(await firstLine(child)).entered();
    const ask = async (path: string, init: RequestInit = {}) => {
      const response = await call(path, init);
      ok(response.ok, `${path}: ${response.status}`);
      return (await response.json()) as Record<string, unknown>;
    };
    equal((await ask('/target'))['stack'], stackName);
    const at = `/projects/${project_id}`;
    const { result } = await ask(`${at}/users?external_id=crm-two`);
    const [user] = result as { uid: string; email: string }[];
    equal(user?.email, 'two@brought.example');
    const change = { method: 'PUT', body: JSON.stringify({ disabled: true }) };
    equal((await ask(`${at}/users/${user?.uid}`, change))['disabled'], true);
    const listed = await ask('/operator', { method: 'POST', body: '{"action":"list"}' });
    ok((listed['projects'] as Line[]).some((each) => each['project_id'] === project_id));
    ok(Array.isArray((await ask(`${at}/stats?days=1`))['days']));
  } finally {
    child.kill('SIGINT');
    const ended = once(child, 'exit');
    if (child.exitCode === null)
      await Promise.race([ended, sleep(20_000, undefined, { ref: false })]);
    if (child.exitCode === null) child.kill('SIGKILL');
  }
  equal(child.exitCode, 0, 'how the console ended');
}

async function firstLine({ stdout, stderr }: ChildProcess): Promise<string> {
  if (!stdout || !stderr) throw new Error('The console has no output.');
  let said = '';
  stderr.on('data', (text: Buffer) => (said += text.toString()));
  for await (const line of createInterface({ input: stdout })) return line;
  throw new Error(`The console ended: ${said}`);
}
