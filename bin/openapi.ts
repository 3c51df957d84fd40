/**
 * Writes the files generated from the contract: docs/reference/openapi.json, endpoints.md, errors.md and scopes.md beside
 * it, and client/generated/.
 *
 * - `npm run openapi` writes the files
 * - `npm run openapi -- --check` exits with 1 if a file does not match the contract
 */
import { readFile, writeFile } from 'node:fs/promises';
import manifest from '../package.json' with { type: 'json' };
import { openapi } from '../shared/contract/openapi/document.ts';
import { clientTypes } from './reference/client-api.ts';
import { clientRoutes } from './reference/client-routes.ts';
import { endpointsReference } from './reference/endpoints-reference.ts';
import { errorsReference } from './reference/errors-reference.ts';
import { scopesReference } from './reference/scopes-reference.ts';

const document = openapi(manifest.version);
const texts = {
  'docs/reference/openapi.json': `${JSON.stringify(document, undefined, 2)}\n`,
  'docs/reference/endpoints.md': endpointsReference(),
  'docs/reference/errors.md': errorsReference(),
  'docs/reference/scopes.md': scopesReference(),
  'client/generated/api.ts': clientTypes(document),
  'client/generated/user-routes.ts': clientRoutes('user'),
  'client/generated/cookie-routes.ts': clientRoutes('cookie'),
  'client/generated/enrolment-routes.ts': clientRoutes('enrolment'),
  'client/generated/factor-routes.ts': clientRoutes('factor'),
  'client/generated/backend-routes.ts': clientRoutes('backend'),
};

for (const [path, text] of Object.entries(texts)) {
  const file = new URL(`../${path}`, import.meta.url);
  if (process.argv[2] !== '--check') await writeFile(file, text);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`${path} does not match the contract. Run: npm run openapi`);
    process.exitCode = 1;
  }
}
