/**
 * Starts the service on the lowest supported Node, signs a user up with a password and in, and stops it:
 *
 *     npm run test:lowest-node
 *
 * Passwords are hashed by Node's own argon2, which decides what the lowest is. npm brings that Node, for Linux on x64.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import manifest from '../package.json' with { type: 'json' };

const lowest = `${manifest.engines.node.replace('>=', '')}.0`;
if (process.versions.node !== lowest)
  throw new Error(`This is Node ${process.versions.node}, not ${lowest}.`);

const server = spawn(process.execPath, ['local/serve.ts', '--memory', '--json', '--port', '0'], {
  cwd: join(import.meta.dirname, '..'),
  env: { ...process.env, LOG_LEVEL: 'silent' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(server, 'exit').then(([code]) => code as number | null);
try {
  const line = await Promise.race([once(server.stdout, 'data'), ended]);
  if (!Array.isArray(line)) throw new Error(`The service ended with ${line}.`);
  const { url } = JSON.parse(String(line[0])) as { url: string };
  await signUpAndIn(url);
  process.stdout.write(`Node ${lowest}: signed up with a password, and in.\n`);
} finally {
  server.kill('SIGTERM');
  await ended;
}

async function signUpAndIn(url: string): Promise<void> {
  const email = 'ada@example.com';
  const password = 'correct horse battery staple';
  const post = async (path: string, body: object, expected: number) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ project_id: 'demo', ...body }),
    });
    const text = await response.text();
    if (response.status !== expected) throw new Error(`${path}: ${response.status} ${text}`);
  };
  await post('/sign-up', { email }, 202);
  await post('/passwords', { token: await mailedToken(url), password }, 201);
  await post('/sessions/password', { email, password: `${password}!` }, 401);
  await post('/sessions/password', { email, password }, 201);
}

/** The token in the mail, which arrives shortly after the request. */
async function mailedToken(url: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const mails = (await (await fetch(`${url}/_local/mail.json`)).json()) as { text: string }[];
    const [, token] = /#token=([\w-]{43})/.exec(mails[0]?.text ?? '') ?? [];
    if (token !== undefined) return token;
    await sleep(100);
  }
  throw new Error('No mail came.');
}
