import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type EngineName, startEngine } from '../../local/engine.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the one DynamoDB engine of this run. */
    engine: string;
    engineName: EngineName;
    /** Whether the files of a worker run one after another in one module graph, so that they share a service. */
    shared: boolean;
    /** A folder for the databases of the test files, which goes with the run. */
    databases: string;
  }
}

/** Starts one engine for the whole run; `ownDatabase` says what each test file gets of it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = await startEngine(undefined, { shared: false });
  project.provide('engine', engine.endpoint);
  project.provide('engineName', engine.name);
  const databases = await mkdtemp(join(tmpdir(), 'test-'));
  project.provide('databases', databases);
  return async () => {
    await engine.close();
    await rm(databases, { recursive: true, force: true });
  };
}
