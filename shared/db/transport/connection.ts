import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { createResponseReader, type Whole } from './response.ts';

/** A request, as it is written, and what its outcome calls: one of the two, once. */
export type Exchange = {
  head: string;
  body: string | Uint8Array;
  done: (response: Whole) => void;
  failed: (error: Error) => void;
};

/** Milliseconds of silence after which the system asks whether the other end of a connection is still there. */
const silence = 1_000;

/** By origin, what resumes a session of TLS: it spares the next connection half of the handshake. */
const sessions = new Map<string, Buffer>();

/** A connection to a server. It carries one request at a time, and ends with the first that fails. */
export class Connection {
  readonly #socket: Socket;
  readonly #free: (connection: Connection) => void;
  readonly #gone: (connection: Connection) => void;
  #exchange: Exchange | undefined;
  #reader = createResponseReader();
  /** Until when the server has said that it keeps the connection, in milliseconds of `performance.now()`. */
  #until = Infinity;
  #hasEnded = false;

  /**
   * @param free is called each time a request has ended and another may follow
   * @param gone is called once, as soon as no other may follow
   */
  constructor(
    to: URL,
    free: (connection: Connection) => void,
    gone: (connection: Connection) => void,
  ) {
    this.#free = free;
    this.#gone = gone;
    this.#socket = (to.protocol === 'https:' ? openTls : openPlain)(to);
    this.#socket.setNoDelay(true).setKeepAlive(true, silence);
    this.#socket.on('data', (bytes: Buffer) => {
      this.#receive(() => this.#reader.read(bytes));
    });
    this.#socket.on('end', () => {
      this.#receive(() => this.#reader.end());
      this.end();
    });
    this.#socket.on('error', (error) => {
      sessions.delete(to.origin);
      this.end(error);
    });
    this.#socket.on('close', () => {
      this.end();
    });
  }

  get isConnecting(): boolean {
    return this.#socket.connecting;
  }

  /** Whether the server is not about to end the connection. */
  get isUsable(): boolean {
    return performance.now() < this.#until;
  }

  /** Sends a request. The one before must have ended. */
  send(exchange: Exchange): void {
    const { head, body } = exchange;
    this.#exchange = exchange;
    this.#socket.ref();
    if (typeof body === 'string') {
      this.#socket.write(head + body);
      return;
    }
    this.#socket.cork();
    this.#socket.write(head);
    this.#socket.write(body);
    this.#socket.uncork();
  }

  /** Ends the connection, and with this error the request that is under way. */
  end(error: Error = reset()): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#socket.destroy();
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.#gone(this);
    exchange?.failed(error);
  }

  #receive(read: () => Whole | undefined): void {
    const exchange = this.#exchange;
    // What comes unasked must not be taken for the response to the next request.
    if (!exchange) return this.end();
    let response: Whole | undefined;
    try {
      response = read();
    } catch (error) {
      this.end(error as Error);
    }
    if (!response) return;
    this.#exchange = undefined;
    // What was received may be large, or a secret: an idle connection does not keep it.
    this.#reader = createResponseReader();
    exchange.done(response);
    if (!response.keepsOpen) return this.end();
    this.#until = untilOf(response);
    // An idle connection keeps no process alive.
    this.#socket.unref();
    this.#free(this);
  }
}

/** A second before the server ends an idle connection, a request might come too late. */
function untilOf({ headers: { 'keep-alive': keptFor = '' } }: Whole): number {
  const [, seconds] = /\btimeout=(\d+)/.exec(keptFor) ?? [];
  return seconds ? performance.now() + (Number(seconds) - 1) * 1_000 : Infinity;
}

const openPlain = (to: URL): Socket => connect({ host: hostOf(to), port: Number(to.port || 80) });

function openTls(to: URL): Socket {
  const { port, origin } = to;
  const host = hostOf(to);
  const session = sessions.get(origin);
  return connectTls({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    ...(session && { session }),
    ALPNProtocols: ['http/1.1'],
  }).on('session', (resumed: Buffer) => {
    sessions.set(origin, resumed);
  });
}

/** A name or an address; in a URL, one of IPv6 has brackets. */
const hostOf = ({ hostname }: URL): string => hostname.replaceAll(/[[\]]/g, '');

const reset = () =>
  Object.assign(new Error('The connection ended before the response.'), { code: 'ECONNRESET' });
