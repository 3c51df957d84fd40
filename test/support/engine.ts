import type { TestProject } from 'vitest/node';
import { startEngine } from '../../local/engine.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the one DynamoDB engine of this run. */
    engine: string;
  }
}

/** Starts one engine for the whole run; every test file makes its own table on it, so files run in parallel. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = await startEngine();
  project.provide('engine', engine.endpoint);
  return engine.close;
}
