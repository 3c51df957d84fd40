import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { routes } from '../../shared/contract/api.ts';

/**
 * Counts the responses that tests received from the service:
 *
 *     RECORD_ANSWERS=FILE npm test
 *     node test/tools/answers.ts FILE
 *
 * A cell is an endpoint with a status and the code of its problem. `--before FILE` lists the cells of another run that
 * this one lacks, `--by-endpoint` counts each error of each endpoint.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { before: { type: 'string' }, 'by-endpoint': { type: 'boolean' } },
});

const patterns = routes.map(({ name, method, path }) => ({
  name,
  method,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  fixed: path.replaceAll(/\{\w+\}/g, '').length,
}));

/** The number of responses per cell, and in total. */
function count(file: string) {
  const cells = new Map<string, number>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [method, target = '', status, code = ''] = line.split(' ');
    const path = target.split('?')[0] ?? '';
    const [route] = patterns
      .filter((each) => each.method === method && each.pattern.test(path))
      .toSorted((a, b) => b.fixed - a.fixed);
    if (!route) continue;
    const cell = `${route.name} ${status} ${code}`.trim();
    cells.set(cell, (cells.get(cell) ?? 0) + 1);
  }
  return cells;
}

const [file = ''] = positionals;
const cells = count(file);
const answers = [...cells.values()].reduce((sum, each) => sum + each, 0);
console.log(`${answers} answers, ${cells.size} cells of endpoint and answer`);
if (values['by-endpoint']) {
  const failures = [...cells].filter(([cell]) => /^\S+ [45]/.test(cell));
  const byRoute = Map.groupBy(failures, ([cell]) => cell.split(' ')[0] ?? '');
  for (const { name } of routes)
    console.log(
      `${name}: ${(byRoute.get(name) ?? []).map(([cell, times]) => `${cell.slice(name.length + 1)} (${times})`).join(', ')}`,
    );
}
if (values.before !== undefined) {
  const missing = [...count(values.before).keys()].filter((cell) => !cells.has(cell));
  console.log(missing.length === 0 ? 'none is missing' : `missing:\n${missing.join('\n')}`);
  process.exitCode = missing.length === 0 ? 0 : 1;
}
