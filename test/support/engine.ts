import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type EngineName, startEngine } from '../../local/engine/engine.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the DynamoDB engine of this run. */
    engine: string;
    engineName: EngineName;
    /** Whether the files of a worker run one after another in one module graph, so that they share a service. */
    shared: boolean;
    /** A folder for the databases of the test files, deleted at the end of the run. */
    databases: string;
    /** The folder of bundles that the service runs; undefined to run from source. */
    bundles: string | undefined;
  }
}

/** Starts one engine for the whole run. See `ownDatabase` for the share of each test file. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = await startEngine(undefined, { shared: false });
  project.provide('engine', engine.endpoint);
  project.provide('engineName', engine.name);
  const databases = await mkdtemp(join(tmpdir(), 'test-'));
  project.provide('databases', databases);
  const bundles = process.env['FUNCTIONS'] === 'bundles' ? join(databases, 'bundles') : undefined;
  if (bundles !== undefined) {
    const { bundleTogether } = await import('../soak/bundles.ts');
    await bundleTogether(bundles, [cheapPasswords]);
  }
  project.provide('bundles', bundles);
  return async () => {
    await engine.close();
    await rm(databases, { recursive: true, force: true });
  };
}

/** As test/support/cheap-passwords.ts does for sources. */
const cheapPasswords = {
  file: 'shared/identity/passwords/password-cost.ts',
  find: 'memory: 19_456, passes: 2',
  replace: 'memory: 8, passes: 1',
};
