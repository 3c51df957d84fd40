import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Survivor, survivors } from './survivors.ts';

/**
 * Changes the code of policy and authentication in every small way that Stryker knows, and fails where the tests do not
 * notice, but for the survivors that are justified. Arguments are files, to look at those alone.
 */

type Position = { line: number; column: number };
type Mutant = {
  mutatorName: string;
  replacement: string;
  status: string;
  location: { start: Position; end: Position };
};
type Report = { files: Record<string, { source: string; mutants: Mutant[] }> };
type Found = Omit<Survivor, 'reason'>;

const root = new URL('../..', import.meta.url);
const files = process.argv.slice(2);
const only = files.length > 0 ? ['--mutate', files.join(',')] : [];
const began = process.hrtime.bigint();
const { status } = spawnSync('npx', ['stryker', 'run', ...only], { cwd: root, stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
const minutes = Number(process.hrtime.bigint() - began) / 60e9;

const report = JSON.parse(readFileSync(new URL('dist/mutation.json', root), 'utf8')) as Report;
const mutants = Object.entries(report.files).flatMap(([file, { source, mutants: all }]) =>
  all.map((mutant) => ({ ...mutant, found: foundAt(file, source.split('\n'), mutant) })),
);
const killed = mutants.filter(({ status: how }) => how === 'Killed' || how === 'Timeout');
const alive = mutants.filter((mutant) => !killed.includes(mutant));
const looked = new Set(Object.keys(report.files));
const nameOf = ({ file, line, code, by }: Found) => JSON.stringify({ file, line, code, by });
const listed = survivors.filter(({ file }) => looked.has(file)).map(nameOf);
const surplus = alive.filter(({ found }) => !listed.includes(nameOf(found)));
const stale = listed.filter((name) => !alive.some(({ found }) => nameOf(found) === name));

for (const { found, status: how, location } of surplus)
  console.log(`${how}: ${found.file}:${location.start.line} ${nameOf(found)}`);
for (const name of stale) console.log(`Listed, but not alive: ${name}`);
const justified = alive.length - surplus.length;
const counts = `${mutants.length} mutants, ${killed.length} killed, ${justified} justified`;
console.log(`${counts}, ${surplus.length} survived, ${minutes.toFixed(1)} minutes`);
if (surplus.length + stale.length > 0) process.exit(1);

/** What a mutant changes, told by the text, so that it stays the same where lines move. */
function foundAt(file: string, lines: string[], { location, replacement }: Mutant): Found {
  const { start, end } = location;
  const line = lines[start.line - 1] ?? '';
  // Columns count from one.
  const until = end.line === start.line ? end.column - 1 : undefined;
  return { file, line: line.trim(), code: line.slice(start.column - 1, until), by: replacement };
}
