/**
 * Writes the wallet command as one file that needs only Node, to be copied to an offline machine. It is not minified,
 * so that it can be read there.
 */
import { join } from 'node:path';
import { build } from 'esbuild';
import { parseFlags, runCommand } from './flags.ts';

export async function main(args: string[]): Promise<string> {
  const { values } = parseFlags({
    args,
    options: { to: { type: 'string', default: 'dist' } },
  } as const);
  const outfile = join(values.to, 'wallet.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'wallet.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Only Node 24 knows it; the bundle is nothing but a command.
    define: { 'import.meta.main': 'true' },
    logLevel: 'error',
  });
  return `${outfile}: copy it to an offline machine and run node wallet.mjs --help there.`;
}

if (import.meta.main) await runCommand(main);
