import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Terminal } from '../flags.ts';

/**
 * Reads a secret from standard input, so that it is in no shell history and no process list: a line typed at a
 * terminal, without echo, or all redirected input.
 */
export async function readSecret({ stdin, stderr }: Terminal, prompt: string): Promise<string> {
  if (!stdin.isTTY) return text(stdin);
  stderr.write(prompt);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true });
  // Ctrl+C and Ctrl+D: nothing was typed.
  const typed = await Promise.race([
    lines.question(''),
    new Promise<string>((resolve) => lines.once('close', () => resolve(''))),
  ]);
  lines.close();
  stderr.write('\n');
  return typed;
}
