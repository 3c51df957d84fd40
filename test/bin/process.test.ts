import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { main as backfillCounts } from '../../bin/backfill-counts.ts';
import { main as backfillDirectory } from '../../bin/backfill-directory.ts';
import { newFolder } from '../support/folder.ts';
import { serve } from '../support/serve.ts';
import { noStack } from './described-stack.ts';
import { call, root, run } from './run.ts';

test('commands use AWS_DEFAULT_REGION, as the AWS CLI does, and report a missing stack', async () => {
  const regions = new Set<string>();
  const AWS_ENDPOINT_URL = await serve((request, response) => {
    const [, region = ''] = /\/(\w+-\w+-\d)\//.exec(request.headers.authorization ?? '') ?? [];
    regions.add(region);
    response.writeHead(400, { 'content-type': 'text/xml' }).end(noStack('s'));
  }, onTestFinished);
  const account = { AWS_DEFAULT_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'a' };
  const env = { ...account, AWS_SECRET_ACCESS_KEY: 'b', AWS_ENDPOINT_URL };
  for (const command of ['project.ts list', 'backfill-counts.ts', 'backfill-directory.ts']) {
    const args = `bin/${command} --stack s`.split(' ');
    expect(await run(args, { env }), command).toEqual({
      ...{ stdout: '', stderr: 'Stack with id s does not exist\n', code: 1 },
    });
  }
  expect([...regions]).toEqual(['eu-central-1']);
});

test.each([
  ['backfill-counts', backfillCounts],
  ['backfill-directory', backfillDirectory],
])('%s requires --stack', async (_, main) => {
  const { stderr, code } = await call(main, []);
  expect([stderr, code]).toEqual(['Pass --stack NAME.\n', 1]);
});

test('a command whose stdout is closed completes its work, without a stack trace', async () => {
  const script = `
    import { runCommand } from './bin/flags.ts';
    await runCommand(async (_, { stdout, stderr }) => {
      for (let i = 0; i < 20; i += 1) {
        stdout.write('line\\n');
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      stderr.write('done\\n');
      return 'result';
    });`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    ...{ cwd: root, stdio: 'pipe' },
  });
  child.stdout.destroy();
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect([said, code]).toEqual(['done\n', 1]);
});

test('a signal to npm ends the command like Ctrl+C, and npm returns its exit code', async () => {
  const folder = newFolder(onTestFinished);
  const url = await serve((_, response) => {
    npm.kill('SIGTERM');
    setTimeout(() => response.writeHead(404).end('{}'), 300);
  }, onTestFinished);
  const flags = ['--project', 'p', '--url', url];
  const npm = spawn('npm', ['run', '-s', 'users:export', '--', `${folder}/users`, ...flags], {
    ...{ cwd: root, env: { ...process.env, PROJECT_SECRET: 's' } },
  });
  const [said, [code]] = await Promise.all([text(npm.stderr), once(npm, 'close')]);
  expect([said.trim().split('\n').at(-1), code]).toEqual([
    '0 users written. Run the command again to go on.',
    1,
  ]);
});
