import { type Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Answered } from './fault.ts';

/** Forwards a call to an engine unchanged. Rejects if the connection breaks. */
export function send(
  engine: string,
  agent: Agent,
  { headers }: Pick<IncomingMessage, 'headers'>,
  body: Buffer,
): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const { authorization, 'x-amz-date': date, 'x-amz-target': target } = headers;
  const outgoing = request(engine, {
    agent,
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': body.length,
      ...(authorization !== undefined && { authorization }),
      ...(date !== undefined && { 'x-amz-date': date }),
      ...(target !== undefined && { 'x-amz-target': target }),
    },
  });
  outgoing.on('error', reject);
  outgoing.on('response', (response) => {
    buffer(response).then(
      (bytes) => resolve({ status: response.statusCode ?? 0, text: bytes.toString() }),
      reject,
    );
  });
  outgoing.end(body);
  return promise;
}
