import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, onTestFinished } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { run as runServer, serve as startServer } from '../support/server.ts';

/** Starts servers for the tests of a file, each with a separate data folder; ends them after the test. */
export function servers() {
  const started: ChildProcess[] = [];
  const own = { folder: '', engine: '', engineAddress: '' };

  beforeEach(() => {
    Object.assign(own, {
      folder: newFolder(onTestFinished),
      engine: '',
      engineAddress: '',
    });
  });
  afterEach(async () => {
    for (const child of started.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  const environment = () => ({
    DYNAMODB_ENGINE: own.engine,
    AWS_ENDPOINT_URL_DYNAMODB: own.engineAddress,
  });
  const serve = (...args: string[]) =>
    startServer(args, environment(), (child) => started.push(child));
  return {
    /**
     * `folder`: the data folder. `engine`: DYNAMODB_ENGINE of the processes; empty lets them choose, which is faster
     * than the fallback. `engineAddress`: AWS_ENDPOINT_URL_DYNAMODB; empty if they start their own.
     */
    own,
    run(...args: string[]) {
      const server = runServer(args, environment());
      started.push(server.child);
      return server;
    },
    serve,
    onFolder: () => serve('--data', own.folder),
    enginePid: (): number =>
      (
        JSON.parse(readFileSync(join(own.folder, 'lock.json'), 'utf8')) as {
          engine: { pid: number };
        }
      ).engine.pid,
  };
}
