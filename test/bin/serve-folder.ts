import { afterAll, beforeAll } from 'vitest';
import { serve } from '../support/server.ts';

/**
 * Serves a data folder during the tests of a group. Commands in this process use its engine, because the operator's
 * function keeps the first one.
 */
export function serveFolder(folder: string, ...args: string[]) {
  let server: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    server = await serve(['--data', folder, ...args], { DYNAMODB_ENGINE: '' });
  });
  afterAll(async () => {
    server.child.kill('SIGTERM');
    await server.exit;
  });
  return () => server;
}
