import { prices } from '../../../bench/simulate/prices.ts';
import { routes } from '../../../shared/contract/api.ts';
import type { Cost } from '../meter.ts';
import type { Budgets, Group } from './budgets.ts';

/** Dollars for a million calls. */
const dollars = ({ read, write }: Cost): number => read * prices.read + write * prices.write;

/** The cost section of docs/evidence/table.md. */
export function costTables(budgets: Budgets): string {
  const rowsOf = (group: Group, ...cells: string[]) =>
    Object.entries(budgets[group] ?? {}).map(([label, cost]) => row([...cells, label], cost));
  return [
    ...head(['Endpoint', 'Caller, case']),
    ...routes.flatMap(({ name, method, path }) => rowsOf(name, `\`${method} ${path}\``)),
    '',
    'An instance that has not read the project for 60 s, or the public keys for 5 min, makes these calls first:',
    '',
    ...head(['Caller']),
    ...rowsOf('new instance'),
    '',
    'What the functions of the stream do afterwards:',
    '',
    ...head(['Change']),
    ...rowsOf('stream'),
    ...rowsOf('webhook delivery'),
    ...rowsOf('mail delivery'),
  ].join('\n');
}

function head(columns: string[]): string[] {
  const names = [...columns, 'Trips', 'Read', 'Write', '$ a million', 'Calls'];
  const rule = names.map((_, i) => (i < columns.length || i === names.length - 1 ? '---' : '--:'));
  return [`| ${names.join(' | ')} |`, `|${rule.join('|')}|`];
}

function row(cells: string[], cost: Cost): string {
  const { rounds, read, write } = cost;
  const calls = runsOf(rounds.map(together)).join('<br>') || 'none';
  const numbers = [rounds.length, read, write, dollars(cost).toFixed(2)];
  return `| ${[...cells, ...numbers, calls].join(' | ')} |`;
}

/** The round trips by number; consecutive equal ones are merged. */
function runsOf(trips: readonly string[]): string[] {
  return trips.flatMap((trip, i) => {
    if (trip === trips[i - 1]) return [];
    const next = trips.findIndex((each, j) => j > i && each !== trip);
    const last = next === -1 ? trips.length : next;
    return [last === i + 1 ? `${last}. ${trip}` : `${i + 1}. to ${last}. ${trip}`];
  });
}

/** Equal calls are merged into one with its count. */
function together(round: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const call of round) counts.set(call, (counts.get(call) ?? 0) + 1);
  return [...counts].map(([call, n]) => (n === 1 ? call : `${n} times ${call}`)).join('; ');
}
