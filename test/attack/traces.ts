import { expect, vi } from 'vitest';
import type { Answer } from '../support/call.ts';

/** Traces of an attack in the log and in the response. */

/**
 * Whether a header can carry the text unchanged (RFC 9110 section 5.5): surrounding blanks are not part of the value,
 * and clients refuse to send other texts.
 */
export const fitsHeader = (text: string): boolean =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);

/** The parts of a token that are long enough to identify it. */
export const partsOf = (token: string): string[] =>
  token.split(/[.\s]/).filter((part) => part.length >= 16);

/** Captures the log from now on. */
export function silence() {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const console = vi.spyOn(globalThis.console, 'error').mockReturnValue();
  vi.stubEnv('LOG_LEVEL', 'info');
  return {
    clear: () => {
      stderr.mockClear();
      console.mockClear();
    },
    /** The rejection must not be an internal error, and neither response nor log line may contain these texts. */
    expectWithout(texts: readonly string[], answer: Answer): void {
      const lines = stderr.mock.calls.map(([line]) => String(line));
      expect(console).not.toHaveBeenCalled();
      for (const line of lines) {
        expect(JSON.parse(line)).toMatchObject({ level: 'info' });
        expect(line).not.toMatch(/"(?:cause|stack)"/);
      }
      const { status, headers, body } = answer;
      expect(status).toBeLessThan(500);
      const written = [...lines, ...[...headers].flat(), JSON.stringify(body)].join('\n');
      for (const text of texts) expect(written).not.toContain(text);
    },
  };
}
