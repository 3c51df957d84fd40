import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import base from '../../stryker.config.json' with { type: 'json' };
import { modules } from './modules.ts';
import { type Survivor, survivors } from './survivors.ts';
import { unlisted } from './unmutated.ts';

/**
 * Applies all of Stryker's mutations to policy and authentication, one module after another. Fails if a module's tests
 * do not detect a mutant, except the justified survivors. Arguments limit the run to these modules.
 */

type Position = { line: number; column: number };
type Mutant = {
  replacement: string;
  status: string;
  location: { start: Position; end: Position };
};
type Report = { files: Record<string, { source: string; mutants: Mutant[] }> };
type Found = Omit<Survivor, 'reason'>;
type Count = { mutants: number; killed: number; justified: number; failed: number };

/** With a `RuntimeError`, the test file fails before its first test. */
const deaths = ['Killed', 'Timeout', 'RuntimeError'];

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = 'dist/mutation';
mkdirSync(`${root}${folder}`, { recursive: true });

const unknown = unlisted(root);
if (unknown.length > 0) throw new Error(`No tests cover ${unknown.join(', ')}`);

const began = performance.now();
const asked = process.argv.slice(2);
const waiting = asked.length > 0 ? asked : Object.keys(modules);
const total: Count = { mutants: 0, killed: 0, justified: 0, failed: 0 };
// One for each of two cores, because most of a run is Stryker's own start.
await Promise.all([work(), work()]);
const minutes = ((performance.now() - began) / 60_000).toFixed(1);
console.log(`${toText(total)}, ${minutes} minutes`);
if (total.failed > 0) process.exitCode = 1;

async function work(): Promise<void> {
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const count = judge(file, await mutate(file));
    for (const key of Object.keys(total) as (keyof Count)[]) total[key] += count[key];
    console.log(`${file}: ${toText(count)}`);
  }
}

function toText({ mutants, killed, justified, failed }: Count): string {
  return `${mutants} mutants, ${killed} killed, ${justified} justified, ${failed} failed`;
}

/** Runs Stryker on a module; undefined if it failed. */
async function mutate(file: string): Promise<Report | undefined> {
  const name = file.replaceAll(/\W/g, '-');
  const report = `${folder}/${name}.json`;
  const config = `${folder}/${name}.config.json`;
  const own = { mutate: [file], tempDirName: `${folder}/${name}` };
  writeFileSync(
    `${root}${config}`,
    JSON.stringify({ ...base, ...own, jsonReporter: { fileName: report } }),
  );
  const run = async () => {
    const child = spawn('npx', ['stryker', 'run', config], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, MUTATED: file, MUTATION_TESTS: (modules[file] ?? []).join(',') },
    });
    const [code] = await once(child, 'exit');
    return code === 0;
  };
  // Its first, unmutated run has deadlines that a busy machine may miss.
  if (!(await run()) && !(await run())) return undefined;
  return JSON.parse(readFileSync(`${root}${report}`, 'utf8')) as Report;
}

/** Compares the survivors with the list and reports differences. */
function judge(file: string, report: Report | undefined): Count {
  const { source = '', mutants = [] } = report?.files[file] ?? {};
  const lines = source.split('\n');
  const killed = mutants.filter(({ status }) => deaths.includes(status));
  const alive = mutants.filter((mutant) => !killed.includes(mutant));
  const listed = survivors.filter((each) => each.file === file).map(nameOf);
  const surplus = alive.filter((mutant) => !listed.includes(nameOf(foundAt(file, lines, mutant))));
  const stale = listed.filter(
    (name) => !alive.some((mutant) => nameOf(foundAt(file, lines, mutant)) === name),
  );
  for (const mutant of surplus) {
    const { line, column } = mutant.location.start;
    const found = nameOf(foundAt(file, lines, mutant));
    console.log(`${mutant.status}: ${file}:${line}:${column} ${found}`);
  }
  // Not a failure, because on a busy machine a mutant may be killed by a timeout alone.
  for (const name of stale) console.log(`Listed, but died: ${file} ${name}`);
  if (mutants.length === 0) console.log(`${file}: Stryker tried nothing.`);
  const failed = mutants.length === 0 ? 1 : surplus.length;
  const justified = alive.length - surplus.length;
  return { mutants: mutants.length, killed: killed.length, justified, failed };
}

function nameOf({ line, code, by }: Found): string {
  return JSON.stringify({ line, code, by });
}

/** Identifies a mutant by the changed text, which does not depend on line numbers. */
function foundAt(file: string, lines: string[], { location, replacement }: Mutant): Found {
  const { start, end } = location;
  const line = lines[start.line - 1] ?? '';
  // Columns count from one.
  const until = end.line === start.line ? end.column - 1 : undefined;
  return { file, line: line.trim(), code: line.slice(start.column - 1, until), by: replacement };
}
