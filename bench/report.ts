/** What one window showed: requests a second, processor microseconds and DynamoDB calls a request. */
export type Measurement = { rate: number; cpu: number; calls: number };

export type Result = {
  name: string;
  ours: Measurement;
  bare: Measurement;
  /** Medians of the ratios ours / bare of neighbouring windows. */
  ratio: { rate: number; cpu: number };
};

/** The medians of all windows of a scenario. */
export function summarize(name: string, pairs: { ours: Measurement; bare: Measurement }[]): Result {
  const of = (side: 'ours' | 'bare'): Measurement => ({
    rate: Math.round(median(pairs.map((pair) => pair[side].rate))),
    cpu: Math.round(median(pairs.map((pair) => pair[side].cpu))),
    calls: round(median(pairs.map((pair) => pair[side].calls))),
  });
  return {
    name,
    ours: of('ours'),
    bare: of('bare'),
    ratio: {
      rate: round(median(pairs.map(({ ours, bare }) => ours.rate / bare.rate))),
      cpu: round(median(pairs.map(({ ours, bare }) => ours.cpu / bare.cpu))),
    },
  };
}

/** The results as an aligned Markdown table. */
export function table(results: Result[]): string {
  const rows = [
    ['endpoint', 'req/s', 'bare', 'ratio', 'CPU us', 'bare', 'ratio', 'calls', 'bare'],
    ...results.map(({ name, ours, bare, ratio }) => [
      name,
      `${ours.rate}`,
      `${bare.rate}`,
      ratio.rate.toFixed(2),
      `${ours.cpu}`,
      `${bare.cpu}`,
      ratio.cpu.toFixed(2),
      ours.calls.toFixed(2),
      bare.calls.toFixed(2),
    ]),
  ];
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => {
    const cells = row.map((cell, i) =>
      i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
    );
    return `| ${cells.join(' | ')} |`;
  });
  const rule = `|${widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
