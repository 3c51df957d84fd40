import { readFileSync } from 'node:fs';

/** A mutant that no test can distinguish from the code. */
export type Survivor = {
  file: string;
  reason: string;
  /** The source line without its indentation; the first one if the mutant spans several. */
  line: string;
  /** The replaced code, up to the end of that line, and its replacement. */
  code: string;
  by: string;
};

/**
 * Every mutant that may survive, and why; any other survivor fails `npm run mutate`. The text lists them in four levels
 * of indentation: file, reason, line, `code → by`.
 */
export const survivors: readonly Survivor[] = read(
  readFileSync(new URL('survivors.txt', import.meta.url), 'utf8'),
);

function read(text: string): Survivor[] {
  const at = { file: '', reason: '', line: '' };
  return text.split('\n').flatMap((row) => {
    const content = row.trimStart();
    const level = (row.length - content.length) / 2;
    if (level === 0) at.file = content;
    else if (level === 1) at.reason = content;
    else if (level === 2) at.line = content;
    else {
      const [code, by, ...rest] = content.split(' → ');
      if (level !== 3 || code === undefined || by === undefined || rest.length > 0)
        throw new Error(`Not a survivor: ${row}`);
      return [{ ...at, code, by }];
    }
    return [];
  });
}
