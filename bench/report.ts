type Numbers<Name extends string> = Record<Name, number>;

/** The results of one side: medians, and the medians of the ratios of the first side to it. */
export type Measured<Name extends string> = { median: Numbers<Name>; ratio: Numbers<Name> };

/**
 * Measures all sides in turns, because the machine is shared and disturbances then affect all. Ratios are computed
 * between neighbouring turns.
 */
export async function compare<Name extends string, Side extends string>(
  turns: number,
  sides: Record<Side, () => Promise<Numbers<Name>>>,
): Promise<Record<Side, Measured<Name>>> {
  const measures = Object.entries(sides) as [Side, () => Promise<Numbers<Name>>][];
  const rounds: Numbers<Name>[][] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const round: Numbers<Name>[] = [];
    for (const [, measure] of measures) round.push(await measure());
    rounds.push(round);
  }
  const names = Object.keys(rounds[0]?.[0] ?? {}) as Name[];
  const medians = (of: (round: Numbers<Name>[], name: Name) => number) =>
    Object.fromEntries(
      names.map((name) => [name, median(rounds.map((round) => of(round, name)))]),
    ) as Numbers<Name>;
  const number = (round: Numbers<Name>[], side: number, name: Name) => round[side]?.[name] ?? NaN;
  return Object.fromEntries(
    measures.map(([side], i) => [
      side,
      {
        median: medians((round, name) => number(round, i, name)),
        ratio: medians((round, name) => number(round, 0, name) / number(round, i, name)),
      },
    ]),
  ) as Record<Side, Measured<Name>>;
}

/** An aligned Markdown table: names in the first column, numbers in the others. */
export function table(heads: string[], rows: string[][]): string {
  const all = [heads, ...rows];
  const widths = heads.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)));
  const lines = all.map((row) => {
    const cells = row.map((cell, i) =>
      i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
    );
    return `| ${cells.join(' | ')} |`;
  });
  const rules = widths.map((width, i) => '-'.repeat(width + 1) + (i === 0 ? '-' : ':'));
  return [lines[0], `|${rules.join('|')}|`, ...lines.slice(1)].join('\n');
}

/** The quantile of unsorted numbers: the value below which this fraction of them lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.round((sorted.length - 1) * part)] ?? NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
