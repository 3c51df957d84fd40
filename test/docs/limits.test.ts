import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lifetimes, limits } from '#shared/model/limits.ts';
import { rates } from '#shared/model/rates.ts';

const page = readFileSync(
  join(import.meta.dirname, '../../docs/guide/limits-and-costs.md'),
  'utf8',
);
const rows = [
  ...page.matchAll(
    /^\| ([^|]+) \| ([^|]+) \| [^|]+ \| `((?:limits|lifetimes|rates)\.[\w.]+)` \|$/gm,
  ),
];
const units: Record<string, number> = {
  KiB: 1024,
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
};

/** "64 KiB" and "10 minutes" as a number, "3 in 10 minutes" as a rate. */
function parse(text: string): unknown {
  const [amount = '', span] = text.split(' in ');
  const [number = '', unit = ''] = amount.split(' ');
  const value = Number(number.replace(',', '')) * (units[unit.replace(/s$/, '')] ?? 1);
  return span === undefined ? value : { max: value, seconds: parse(span) };
}

test('the limits guide has at least 30 limits', () => {
  expect(rows.length).toBeGreaterThan(30);
});

test('the limits guide has every rate', () => {
  const shown = new Set(rows.map(([, , , name]) => name));
  const missing = Object.keys(rates).filter((rate) => !shown.has(`rates.${rate}`));
  expect(missing, 'to be added to the table of docs/guide/limits-and-costs.md').toEqual([]);
});

test.each(rows.map(([, what = '', limit = '', name = '']) => ({ what, limit, name })))(
  '$name: $what, $limit',
  ({ limit, name }) => {
    const value = name
      .split('.')
      .reduce<unknown>((from, key) => (from as Record<string, unknown>)[key], {
        limits,
        lifetimes,
        rates,
      });
    const shown = parse(limit);
    expect(value).toEqual(typeof shown === 'object' ? expect.objectContaining(shown ?? {}) : shown);
  },
);
