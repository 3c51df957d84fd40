/**
 * Writes the wallet command as one file that needs only Node, to be copied to an offline machine. It is not minified,
 * so that it can be read there.
 */
import { join } from 'node:path';
import { build } from 'esbuild';
import { readFlags, runCommand } from './flags.ts';

const usage = `Usage: npm run wallet:bundle
Writes the wallet command as one file, wallet.mjs, which needs only Node, for an offline machine.
  --to FOLDER   the folder for it (default dist)`;

export async function main(args: string[]): Promise<string> {
  const values = readFlags(args, {
    to: { type: 'string', default: 'dist' },
  });
  if (!values) return usage;
  const outfile = join(values.to, 'wallet.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'wallet.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Only Node 24 knows `import.meta.main`; the bundle is always run as a command.
    define: { 'import.meta.main': 'true' },
    logLevel: 'error',
  });
  return `${outfile}: copy it to an offline machine and run node wallet.mjs --help there.`;
}

if (import.meta.main) await runCommand(main);
