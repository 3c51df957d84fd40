/**
 * Runs schemathesis, a third-party tool, against the running service, with requests generated from
 * docs/reference/openapi.json:
 *
 *     npm run test:schemathesis
 *     npm run test:schemathesis -- --seconds 300
 *
 * Its checks, and the exceptions with their reasons, are in schemathesis.toml. The service runs on this machine, in
 * memory, and ends with this process; so does schemathesis, after `--seconds` at the latest.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { basic, createClient } from '../../client/client.ts';
import { type Ready, serve } from '../support/server.ts';
import { pythonWith, runTool } from './python.ts';

/** Runs as many cases as fit. Its last phase, sequences of requests, begins after 60 s on a free core. */
const { values: flags } = parseArgs({ options: { seconds: { type: 'string', default: '90' } } });
const root = join(import.meta.dirname, '../..');

async function main(): Promise<number> {
  const python = await pythonWith(join(import.meta.dirname, 'requirements.txt'));
  const { child, exit, ready } = await serve(['--memory']);
  const scratch = await mkdtemp(join(tmpdir(), 'schemathesis-'));
  try {
    return await schemathesis(python, ready.url, await signIn(ready), scratch);
  } finally {
    child.kill('SIGTERM');
    await exit;
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Passes every credential of the document to schemathesis. */
async function signIn({ url, projects: [project] }: Ready): Promise<Record<string, string>> {
  if (!project) throw new Error('The service has no project.');
  const { project_id, secret } = project;
  const backend = createClient(url, basic(project_id, secret));
  const { uid } = (await backend.users.create({ email: 'ada@example.com', email_verified: true }))
    .body;
  const { body: session } = await backend.sessions.create({ uid });
  // A separate session, so that requests with the browser's cookie do not end the session of other operations.
  const { body: browser } = await backend.sessions.create({ uid });
  return {
    PROJECT_ID: project_id,
    PROJECT_SECRET: secret,
    ACCESS_TOKEN: session.access_token,
    REFRESH_TOKEN: session.refresh_token,
    COOKIE_TOKEN: browser.refresh_token,
  };
}

/** Runs it to its end and prints how many of its cases passed; returns the exit code. */
async function schemathesis(
  python: string,
  url: string,
  environment: Record<string, string>,
  scratch: string,
): Promise<number> {
  const child = spawn(
    python,
    [
      ...[
        '-m',
        'schemathesis.cli',
        '--config-file',
        join(import.meta.dirname, 'schemathesis.toml'),
      ],
      ...['run', join(root, 'docs/reference/openapi.json'), '--url', url],
      ...['--max-time', flags.seconds, '--no-color'],
    ],
    { cwd: scratch, env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (part: Buffer) => {
    output += part;
    process.stdout.write(part);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const generated = Number(/(\d+) generated/.exec(output)?.[1] ?? 0);
  const failed = Number(/found (\d+) unique failures/.exec(output)?.[1] ?? (code === 0 ? 0 : 1));
  process.stdout.write(`\n${generated - failed} passed, ${failed} failed\n`);
  return code === 0 && generated > 0 ? 0 : 1;
}

await runTool(main);
