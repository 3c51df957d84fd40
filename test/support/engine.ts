import type { TestProject } from 'vitest/node';
import { type EngineName, startEngine } from '../../local/engine.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the one DynamoDB engine of this run. */
    engine: string;
    engineName: EngineName;
  }
}

/** Starts one engine for the whole run; `ownDatabase` says what each test file gets of it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = await startEngine(undefined, { shared: false });
  project.provide('engine', engine.endpoint);
  project.provide('engineName', engine.name);
  return engine.close;
}
