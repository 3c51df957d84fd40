/**
 * Checks the deployed template with cfn-lint, and its policies with parliament; both are third-party tools:
 *
 *     npm run test:template
 *
 * Their exceptions, with the reasons: cfn-lint.yaml, and `accepted` below.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { policiesOf, type Template } from './policies.ts';
import { pythonWith, runTool } from './python.ts';

const root = join(import.meta.dirname, '../..');

/** A finding in parliament's output. */
type Finding = { issue: string; detail: { action: string }[]; location: { filepath: string } };

/** Findings that do not apply here. */
const accepted: { issue: string; action: string; reason: string }[] = [
  {
    issue: 'RESOURCE_MISMATCH',
    action: 'dynamodb:ListStreams',
    reason:
      'parliament knows no resource of it but "*". The grant of the CDK names the streams of the table, as ours names the one.',
  },
];

/** Runs a command; returns whether it exited with 0, and its output. */
async function run(command: string, args: string[], cwd = root) {
  const options = { cwd, maxBuffer: 16 * 1024 * 1024 };
  return promisify(execFile)(command, args, options).then(
    ({ stdout }) => ({ passed: true, output: stdout }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({
      passed: false,
      output: stdout + stderr,
    }),
  );
}

/** Removes accepted findings; any output that is not a finding fails. */
function judge({ passed, output }: { passed: boolean; output: string }) {
  if (passed) return { passed, output };
  const left = output.split('\n').filter((line) => line !== '' && !isAccepted(line));
  return { passed: left.length === 0, output: left.map((line) => `${line}\n`).join('') };
}

function isAccepted(line: string): boolean {
  if (!line.startsWith('{')) return false;
  const { issue, detail } = JSON.parse(line) as Finding;
  return detail.every(({ action }) =>
    accepted.some((each) => each.issue === issue && each.action === action),
  );
}

async function main(): Promise<number> {
  const python = await pythonWith(join(import.meta.dirname, 'requirements.txt'));
  const scratch = await mkdtemp(join(tmpdir(), 'template-'));
  try {
    const synth = await run('npx', ['cdk', 'synth', '--quiet', '--output', scratch]);
    if (!synth.passed) throw new Error(synth.output);
    const file = (await readdir(scratch)).find((name) => name.endsWith('.template.json')) ?? '';
    const policies = policiesOf(
      JSON.parse(await readFile(join(scratch, file), 'utf8')) as Template,
    );
    const folder = join(scratch, 'policies');
    await mkdir(folder);
    for (const { name, document } of policies)
      await writeFile(join(folder, `${name}.json`), JSON.stringify(document, undefined, 2));

    const checks = {
      [`cfn-lint: ${file}`]: await run(python, [
        ...['-c', 'import sys; from cfnlint.runner import main; sys.exit(main())'],
        ...['--config-file', join(import.meta.dirname, 'cfn-lint.yaml'), '--', join(scratch, file)],
      ]),
      [`parliament: ${policies.length} policies`]: judge(
        await run(python, [
          '-W',
          'ignore',
          '-m',
          'parliament.cli',
          '--directory',
          folder,
          '--json',
        ]),
      ),
    };
    for (const [name, { passed, output }] of Object.entries(checks))
      process.stdout.write(`${passed ? 'passed' : 'FAILED'}: ${name}\n${passed ? '' : output}`);
    const failed = Object.values(checks).filter(({ passed }) => !passed).length;
    process.stdout.write(`${Object.keys(checks).length - failed} passed, ${failed} failed\n`);
    return failed > 0 ? 1 : 0;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

await runTool(main);
