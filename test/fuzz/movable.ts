import { connect, createServer, type Socket } from 'node:net';
import { listenOnLoopback } from '../../local/loopback.ts';

/** A fixed address in front of changing engines, each of which may have a loopback address of its own. */
export async function movable() {
  let engine: { host: string; port: number } | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (!engine) return near.destroy();
    const far = connect(engine);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => sockets.delete(one));
      one.pipe(other);
    }
  });
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: await listenOnLoopback(server),
    moveTo(url: string): void {
      const { hostname, port } = new URL(url);
      engine = { host: hostname, port: Number(port) };
      end();
    },
    close(): void {
      server.close();
      end();
    },
  };
}
