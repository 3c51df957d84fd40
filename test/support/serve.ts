import { createServer, type RequestListener } from 'node:http';
import { afterAll } from 'vitest';
import { listenOnLoopback } from '../../local/loopback.ts';

/** Starts an HTTP server that runs until the end of the file, or of what `onEnd` belongs to; returns its URL. */
export async function serve(
  listener: RequestListener,
  onEnd: (close: () => void) => void = afterAll,
): Promise<string> {
  const server = createServer(listener);
  const url = await listenOnLoopback(server);
  onEnd(() => {
    server.close().closeAllConnections();
  });
  return url;
}
