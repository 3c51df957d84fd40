/** A fenced block of a page. */
export type Block = {
  language: string;
  /** The file that the reader saves it as: ```ts title="receiver.ts". */
  title: string | undefined;
  text: string;
  line: number;
};

/** The fenced blocks of a Markdown page, in order; those within a list are indented. */
export function blocksOf(page: string): Block[] {
  const fences = page.matchAll(/^( *)```(\w+)(?: title="([^"]+)")?\n([^]*?)^\1```$/gm);
  return [...fences].map((match) => {
    const [, indent = '', language = '', title, indented = ''] = match;
    const text = indented.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    return { language, title, text, line: page.slice(0, match.index).split('\n').length };
  });
}

/**
 * The page as one bash script: a `bash` block runs unchanged, a block with a title is saved, and a `ts` block without
 * one runs. A `text` block is the expected output of the block before it. Blocks share one shell and one folder, as a
 * reader's do. A `sh` block starts the service or needs an AWS account: it is not run. Nor is a `tsx` block, which is a
 * file of an app. `ts` runs with this Node directly, because npx takes longer than most blocks; pages whose commands use
 * npx test that it finds Node.
 */
export function scriptOf(blocks: readonly Block[]) {
  const files = new Map<string, string>();
  const expected = new Map<number, string>();
  // Each job has its own process group, so that processes started by `npx` end with it.
  const script = [
    'set -meuo pipefail',
    `trap 'for job in $(jobs -p); do kill -- -$job 2>/dev/null || true; done' EXIT`,
  ];
  let runs = 0;
  for (const { language, title, text, line } of blocks) {
    const file = title ?? `line-${line}.ts`;
    if (language === 'text') expected.set(runs, text);
    if (language === 'json') JSON.parse(text);
    if (language === 'tsx') continue;
    if (language === 'ts' || title !== undefined) files.set(file, text);
    if (language !== 'bash' && (language !== 'ts' || title !== undefined)) continue;
    runs += 1;
    script.push(
      `echo '${separator}'`,
      language === 'bash' ? text : `'${process.execPath}' ${file}`,
    );
  }
  return { files, expected, script: script.join('\n'), runs };
}

export const separator = '-- the next block --';

/** A pattern for the output of a block; `…` matches any text within a line. */
export function printed(text: string): RegExp {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.trimEnd());
  const escaped = lines.map((line) =>
    line
      .split('…')
      .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
      .join('.*'),
  );
  return new RegExp(`^${escaped.join('\n')}$`);
}
