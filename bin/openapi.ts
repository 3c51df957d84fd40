/**
 * Writes docs/reference/openapi.json from the contract.
 *
 * - `npm run openapi` writes the file
 * - `npm run openapi -- --check` exits with 1 if the file does not match the contract
 */
import { readFile, writeFile } from 'node:fs/promises';
import { openapi } from '#shared/contract/openapi.ts';
import manifest from '../package.json' with { type: 'json' };

const file = new URL('../docs/reference/openapi.json', import.meta.url);
const text = `${JSON.stringify(openapi(manifest.version), undefined, 2)}\n`;

if (process.argv[2] === '--check') {
  const current = await readFile(file, 'utf8').catch(() => '');
  if (current !== text) {
    console.error('docs/reference/openapi.json does not match the contract. Run: npm run openapi');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, text);
}
