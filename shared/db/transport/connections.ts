import { Connection } from './connection.ts';

/** Connections to one server at a time. */
const maxOpen = 128;

type Begin = (connection: Connection) => void;

const byOrigin = new Map<string, Connections>();

/** The connections to a server, by its origin. */
export function connectionsTo(server: URL): Connections {
  let connections = byOrigin.get(server.origin);
  if (!connections) byOrigin.set(server.origin, (connections = new Connections(server)));
  return connections;
}

class Connections {
  readonly #server: URL;
  #open = 0;
  readonly #idle: Connection[] = [];
  /** In the order in which they came. */
  readonly #waiting = new Set<Begin>();

  constructor(server: URL) {
    this.#server = server;
  }

  /** Calls back with a connection: an idle one, a new one, or, beyond their number, the first that becomes free. */
  take(begin: Begin): void {
    const idle = this.#takeIdle();
    if (idle) begin(idle);
    else if (this.#open < maxOpen) begin(this.#connect());
    else this.#waiting.add(begin);
  }

  /** Ends those that nobody uses: what has silenced one has silenced them too, and a new one may be answered. */
  endIdle(): void {
    for (const connection of this.#idle.splice(0)) connection.end();
  }

  /** No longer waits for a connection. */
  leave(begin: Begin): void {
    this.#waiting.delete(begin);
  }

  /** The one that was used last: those that nobody needs stay idle until the server ends them. */
  #takeIdle(): Connection | undefined {
    for (;;) {
      const connection = this.#idle.pop();
      if (!connection || connection.isUsable) return connection;
      connection.end();
    }
  }

  #connect(): Connection {
    this.#open += 1;
    return new Connection(
      this.#server,
      (freed) => {
        const next = this.#next();
        if (next) next(freed);
        else this.#idle.push(freed);
      },
      (gone) => {
        this.#open -= 1;
        const at = this.#idle.indexOf(gone);
        if (at >= 0) this.#idle.splice(at, 1);
        this.#next()?.(this.#connect());
      },
    );
  }

  #next(): Begin | undefined {
    const next = this.#waiting.values().next().value;
    if (next) this.#waiting.delete(next);
    return next;
  }
}
