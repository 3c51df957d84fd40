export type Comparison = { ours: number; bare: number; ratio: number };

/**
 * Measures both sides alternately, because the machine is shared and disturbances then affect both. Returns the medians
 * of each number, and of the ratios of neighbouring turns.
 */
export async function compare<Name extends string>(
  turns: number,
  ours: () => Promise<Record<Name, number>>,
  bare: () => Promise<Record<Name, number>>,
): Promise<Record<Name, Comparison>> {
  const pairs: { ours: Record<Name, number>; bare: Record<Name, number> }[] = [];
  for (let turn = 0; turn < turns; turn += 1)
    pairs.push({ ours: await ours(), bare: await bare() });
  const names = Object.keys(pairs[0]?.ours ?? {}) as Name[];
  const comparisons = names.map((name): [Name, Comparison] => [
    name,
    {
      ours: median(pairs.map((pair) => pair.ours[name])),
      bare: median(pairs.map((pair) => pair.bare[name])),
      ratio: median(pairs.map((pair) => pair.ours[name] / pair.bare[name])),
    },
  ]);
  return Object.fromEntries(comparisons) as Record<Name, Comparison>;
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
