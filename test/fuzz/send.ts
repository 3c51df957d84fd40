import { Agent, request as open } from 'node:http';

/** A raw request. */
export type Request = {
  method: string;
  /** With its query, percent-encoded. */
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Loopback address to send from, for rate limits by network. */
  from: string;
};

export type Response = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
};

/** Creates the function that sends requests over kept-alive connections, and the one that closes them. */
export function sender(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const { hostname, port } = new URL(url);

  async function send(request: Request): Promise<Response> {
    const { method, path, headers, body, from } = request;
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const sent = body === undefined ? undefined : Buffer.from(body);
    const outgoing = open({
      ...{ agent, hostname, port, method, path, localAddress: from, timeout: 30_000 },
      headers: { ...headers, ...(sent && { 'content-length': String(sent.length) }) },
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('No answer within 30 s')));
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // The server had just closed an idle connection, so it never received the request.
      if (outgoing.reusedSocket && error.code === 'ECONNRESET') resolve(send(request));
      else reject(error);
    });
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    outgoing.end(sent);
    return promise;
  }

  return { send, close: () => agent.destroy() };
}

/** A request as a command for a shell. */
export function toCurl(url: string, { method, path, headers, body }: Request): string {
  const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return [
    `curl -i --path-as-is -X ${method} ${quote(url + path)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quote(body)}`]),
  ].join(' ');
}
