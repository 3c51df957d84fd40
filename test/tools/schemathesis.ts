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
import { Missing, pythonWith } from './python.ts';

/** Runs as many cases as fit. Its last phase, sequences of requests, begins after 60 s on a free core. */
const { values: flags } = parseArgs({ options: { seconds: { type: 'string', default: '90' } } });
const root = join(import.meta.dirname, '../..');

type Started = { url: string; projects: [{ project_id: string; secret: string }] };

async function main(): Promise<number> {
  const python = await pythonWith(join(import.meta.dirname, 'requirements.txt'));
  const service = spawn(process.execPath, ['local/serve.ts', '--memory', '--json', '--port', '0'], {
    cwd: root,
    env: { ...process.env, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(service, 'exit');
  const scratch = await mkdtemp(join(tmpdir(), 'schemathesis-'));
  try {
    const first = await Promise.race([once(service.stdout, 'data'), ended]);
    const { url, projects } = JSON.parse(String(first[0])) as Started;
    const environment = await signIn(url, projects[0]);
    return await schemathesis(python, url, environment, scratch);
  } finally {
    service.kill('SIGTERM');
    await ended;
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Passes every credential of the document to schemathesis. */
async function signIn(
  url: string,
  { project_id, secret }: Started['projects'][0],
): Promise<Record<string, string>> {
  const authorization = `Basic ${Buffer.from(`${project_id}:${secret}`).toString('base64')}`;
  const post = async (path: string, body: object) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, string>;
  };
  const { uid } = await post('/users', { email: 'ada@example.com', email_verified: true });
  const { access_token = '', refresh_token = '' } = await post('/sessions', { uid });
  // A separate session, so that requests with the browser's cookie do not end the session of other operations.
  const browser = await post('/sessions', { uid });
  return {
    PROJECT_ID: project_id,
    PROJECT_SECRET: secret,
    ACCESS_TOKEN: access_token,
    REFRESH_TOKEN: refresh_token,
    COOKIE_TOKEN: browser['refresh_token'] ?? '',
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

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Missing)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
