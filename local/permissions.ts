import { type Channel, channel } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { Grant } from '../lib/access.ts';
import type { FunctionName } from '../shared/contract/functions.ts';
import { running } from './lambda.ts';
import { type Right, rightsFor, rightsOf } from './rights.ts';

export type Permissions = {
  /** The rights that each function has used since the start. */
  used: ReadonlyMap<FunctionName, ReadonlySet<Right>>;
  /** Says that a function was fed from the stream or a queue, which its event source does for it. */
  useStream(name: FunctionName): void;
  stop(): void;
};

/** The very error that the SDK makes of IAM's refusal. */
class AccessDenied extends Error {
  override readonly name = 'AccessDeniedException';
}

/**
 * Refuses, from now on, what IAM would refuse to the function under way: the call fails with AccessDeniedException
 * before it leaves the process. It works beneath the SDK, on every HTTP request to AWS, so that neither a source nor
 * a bundle can tell or evade it. Code that runs in no function may do everything.
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

  const guard = (message: unknown) => {
    const name = running.getStore();
    const { request } = message as { request: ClientRequest };
    const call = callOf(request);
    if (name === undefined || call === undefined) return;
    onceComplete(request, (body) => {
      for (const right of rightsFor(call, body)) {
        if (!rights.get(name)?.has(right)) {
          return new AccessDenied(`${name} is not authorized to perform ${call} (${right}).`);
        }
        use(name, right);
      }
      return undefined;
    });
  };
  const requests: Channel = channel('http.client.request.created');
  requests.subscribe(guard);
  return {
    used,
    useStream: (name) => {
      const { takes } = grants[name];
      use(name, takes ? `queue:${takes}` : 'stream');
    },
    stop: () => requests.unsubscribe(guard),
  };
}

/** What a request asks of AWS; undefined for one that goes elsewhere, which nothing signs. */
function callOf(request: ClientRequest): string | undefined {
  const target = request.getHeader('x-amz-target');
  if (typeof target === 'string') return target;
  // Services without that header say by method and path what they are to do, and which they are in the signature.
  const signature = /^AWS4-.*?\/([\w-]+)\/aws4_request/.exec(
    String(request.getHeader('authorization')),
  );
  return signature ? `${signature[1]} ${request.method} ${request.path}` : undefined;
}

/** Holds a request back until its body is known, then lets it go or ends it with the error that `judge` gives. */
function onceComplete(request: ClientRequest, judge: (body: string) => Error | undefined): void {
  const held: (string | Uint8Array)[] = [];
  const hold = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) held.push(chunk);
  };
  const end = request.end;
  request.write = (chunk: unknown) => {
    hold(chunk);
    return true;
  };
  request.end = ((chunk?: unknown) => {
    hold(chunk);
    const body = Buffer.concat(held.map((part) => Buffer.from(part as Uint8Array)));
    const refusal = judge(body.toString());
    return refusal ? request.destroy(refusal) : end.call(request, body, 'utf8');
  }) as ClientRequest['end'];
}
