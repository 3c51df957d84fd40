import { open } from 'node:fs/promises';

/** A file of JSON lines that a run appends to. */
export type OutputFile = {
  bytes: number;
  append(lines: readonly unknown[]): Promise<void>;
  close(): Promise<void>;
};

/** Opens the file and cuts it after `bytes`: what a killed run wrote after its last checkpoint comes again. */
export async function openOutput(file: string, bytes: number): Promise<OutputFile> {
  // It may hold personal data or password hashes.
  const handle = await open(file, bytes === 0 ? 'w' : 'r+', 0o600);
  await handle.truncate(bytes);
  const output: OutputFile = {
    bytes,
    async append(lines) {
      if (lines.length === 0) return;
      const text = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      await handle.write(text, 0, text.length, output.bytes);
      output.bytes += text.length;
    },
    close: () => handle.close(),
  };
  return output;
}
