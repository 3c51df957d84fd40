import { type Channel, channel } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { Grant } from '../../lib/grant.ts';
import type { FunctionName } from '../../shared/contract/functions.ts';
import { type Sending, sendings } from '../../shared/db/transport/http.ts';
import { running } from './lambda.ts';
import { type Right, rightsFor, rightsOf } from './rights.ts';

export type Permissions = {
  /** The rights that each function has used since the start. */
  used: ReadonlyMap<FunctionName, ReadonlySet<Right>>;
  /**
   * Records that a function was invoked from the stream or a queue, which uses rights on behalf of its event source.
   */
  useStream(name: FunctionName): void;
  stop(): void;
};

/** The error that the SDK creates from an IAM denial. */
class AccessDenied extends Error {
  override readonly name = 'AccessDeniedException';
}

/**
 * From now on, denies every call that IAM would deny to the current function: it fails with AccessDeniedException
 * before it leaves the process. It sees every request to AWS, of the SDK and of our own transport, so neither sources
 * nor bundles can detect or evade it. Code outside functions may do everything.
 */
export function enforceGrants(grants: Record<FunctionName, Grant>): Permissions {
  const used = new Map<FunctionName, Set<Right>>();
  const rights = new Map(
    Object.entries(grants).map(([name, grant]) => [name as FunctionName, rightsOf(grant)]),
  );
  const use = (name: FunctionName, right: Right) => {
    let mine = used.get(name);
    if (!mine) used.set(name, (mine = new Set()));
    mine.add(right);
  };

  /** The error with which IAM denies a call to the current function. */
  const denialOf = (call: string, body: string): Error | undefined => {
    const name = running.getStore();
    if (name === undefined) return undefined;
    for (const right of rightsFor(call, body)) {
      if (!rights.get(name)?.has(right))
        return new AccessDenied(`${name} is not authorized to perform ${call} (${right}).`);
      use(name, right);
    }
    return undefined;
  };
  const guardOurs = (message: unknown) => {
    const sending = message as Sending;
    const denial = denialOf(sending.headers['x-amz-target'] ?? '', sending.body.toString());
    if (denial) sending.refusal = denial;
  };
  const guardSdk = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    const call = callOf(request);
    if (running.getStore() === undefined || call === undefined) return;
    onceComplete(request, (body) => denialOf(call, body));
  };
  const requests: Channel = channel('http.client.request.created');
  requests.subscribe(guardSdk);
  sendings.subscribe(guardOurs);
  return {
    used,
    useStream: (name) => {
      const { takes } = grants[name];
      use(name, takes ? `queue:${takes}` : 'stream');
    },
    stop: () => {
      requests.unsubscribe(guardSdk);
      sendings.unsubscribe(guardOurs);
    },
  };
}

/** The AWS call of a request; undefined for unsigned requests, which go elsewhere. */
function callOf(request: ClientRequest): string | undefined {
  const target = request.getHeader('x-amz-target');
  if (typeof target === 'string') return target;
  // Services without that header identify the operation by method and path, and the service in the signature.
  const signature = /^AWS4-.*?\/([\w-]+)\/aws4_request/.exec(
    String(request.getHeader('authorization')),
  );
  return signature ? `${signature[1]} ${request.method} ${request.path}` : undefined;
}

/** Holds a request until its body is known, then sends it or fails it with the error that `judge` returns. */
function onceComplete(request: ClientRequest, judge: (body: string) => Error | undefined): void {
  const chunks: (string | Uint8Array)[] = [];
  const hold = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(chunk);
  };
  const end = request.end;
  request.write = (chunk: unknown) => {
    hold(chunk);
    return true;
  };
  request.end = ((chunk?: unknown) => {
    hold(chunk);
    const body = whole(chunks);
    const refusal = judge(body.toString());
    return refusal ? request.destroy(refusal) : end.call(request, body, 'utf8');
  }) as ClientRequest['end'];
}

/** The body of its parts. One that is a text stays one: Node sends that together with the headers. */
function whole(parts: readonly (string | Uint8Array)[]): string | Buffer {
  const [first] = parts;
  if (parts.length === 1 && typeof first === 'string') return first;
  return Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array)));
}
