import { once } from 'node:events';
import { connect } from 'node:net';

/** A raw response. */
export type WireAnswer = { status: number; headers: Headers; body: string };

/**
 * Sends raw bytes and reads until the server ends the connection: malformed requests that HTTP clients fix or refuse
 * must reach the server. Only the last request should close the connection.
 */
export async function wire(url: string, bytes: string | Buffer): Promise<WireAnswer[]> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A server that has seen enough may reset the connection while we still write.
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  await once(socket, 'close');
  return answersOf(Buffer.concat(chunks));
}

/** A request of these lines that ends its connection. */
export const lines = (start: string, headers: readonly string[] = [], body = ''): string =>
  [`${start} HTTP/1.1`, 'Host: h', 'Connection: close', ...headers, '', body].join('\r\n');

/** Parses responses one after another by their Content-Length; the response to a HEAD has a length and no body. */
function answersOf(bytes: Buffer): WireAnswer[] {
  const answers: WireAnswer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return answers;
    const [first = '', ...fields] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = new Headers(
      fields.map((field) => {
        const colon = field.indexOf(':');
        return [field.slice(0, colon), field.slice(colon + 1).trim()] as [string, string];
      }),
    );
    const from = end + 4;
    const to = from + Number(headers.get('content-length') ?? 0);
    const body = rest.subarray(from, to).toString('utf8');
    answers.push({ status: Number(first.split(' ')[1]), headers, body });
    rest = rest.subarray(to);
  }
  return answers;
}
