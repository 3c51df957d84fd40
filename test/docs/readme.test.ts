import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { routes } from '../../shared/contract/api.ts';

const root = join(import.meta.dirname, '../..');
const byCode = (a: string, b: string) => (a < b ? -1 : 1);
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test('the table of endpoints names every route with its credentials, and no other', () => {
  const [, section = ''] = /^## Endpoints$([^]*?)^## /m.exec(readme) ?? [];
  const rows = [...section.matchAll(/^\| (`(?:GET|POST|PUT|DELETE) [^|]*?) \| ([^|]*?) ?\|/gm)];
  const listed = rows.flatMap(([, endpoints = '', credentials = '']) =>
    [...endpoints.matchAll(/`(\w+) (\S+)`/g)].map(([, method, path]) => [
      method,
      path,
      credentials,
    ]),
  );
  const names = { project: 'Basic', access: 'Bearer', refresh: 'Bearer (refresh)' } as const;
  const known = routes.map(({ method, path, auth }) => [
    method,
    path,
    auth.map((scheme) => names[scheme]).join(', '),
  ]);
  const sorted = (lines: unknown[][]) => lines.map((line) => line.join(' ')).toSorted(byCode);
  expect(sorted(listed)).toEqual(sorted(known));
});

const ways = ['--memory', '--data'];
test.each(ways)(
  'the five minutes with curl work as printed, %s',
  { timeout: 90_000 },
  async (way) => {
    const folder = mkdtempSync(join(tmpdir(), 'readme-'));
    const place = way === '--data' ? [way, folder] : [way];
    const args = ['local/serve.ts', '--json', '--port', '0', ...place];
    const env = { ...process.env, LOG_LEVEL: 'silent', DYNAMODB_ENGINE: '' };
    const server = spawn(process.execPath, args, {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = (await once(server.stdout, 'data')) as [Buffer];
      const { url } = JSON.parse(line.toString()) as { url: string };
      const [, script = ''] =
        /## Five minutes with curl[^]*?```bash\n([^]*?)```/.exec(readme) ?? [];
      const ours = script.replace('http://localhost:3000', url);
      // Nothing of it may depend on where it is run.
      const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', ours], {
        env,
        cwd: tmpdir(),
      });
      const answers = stdout
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text) as object);
      expect(answers).toEqual([
        expect.objectContaining({ email: 'ada@example.com', display_name: 'Ada' }),
        expect.objectContaining({ email: 'charles@example.com', status: 'pending' }),
        expect.objectContaining({ total: 1, count: 1 }),
        expect.objectContaining({ email: 'charles@example.com', status: 'accepted' }),
        expect.objectContaining({ count: 2, more: true }),
        expect.objectContaining({
          result: [
            'workspace.created',
            'workspace.invitation.created',
            'workspace.member.joined',
          ].map((type) => expect.objectContaining({ event: expect.objectContaining({ type }) })),
        }),
        expect.objectContaining({ email: 'charles@example.com', role: 'member' }),
        expect.objectContaining({ status: 404, code: 'not_found' }),
        expect.objectContaining({
          user_created: false,
          refresh_token: expect.stringMatching(/^rt_/),
        }),
        {
          total: 1,
          count: 1,
          result: [expect.objectContaining({ method: 'email_code', current: true })],
        },
        { session_id: expect.any(String), ended_at: expect.any(String) },
        expect.objectContaining({ status: 401, code: 'unauthenticated' }),
      ]);
    } finally {
      server.kill('SIGTERM');
      await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
);
