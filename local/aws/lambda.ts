import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { sizeOf } from '../../lib/functions.ts';
import type { FunctionName } from '../../shared/contract/functions.ts';

/** A function's entry point; the type of its event depends on what invokes it. */
export type Handler = (event: never, context: Context) => unknown;

/** Loads a function's handler: from source, a bundle, or a test. */
export type Loader = (name: FunctionName) => Promise<Handler>;

/** The function that the current code belongs to. The permission checks read it; functions cannot. */
export const running = new AsyncLocalStorage<FunctionName>();

const arnPrefix = 'arn:aws:lambda:local:000000000000:function:';

/** The ARN of a function. */
export const functionArn = (name: string): string => `${arnPrefix}${name}`;

/** The function of an ARN. */
export const functionOf = (arn: string): FunctionName =>
  arn.slice(arnPrefix.length) as FunctionName;

/** Maximum bytes of an event or result of a synchronous invocation. */
const payloadLimit = 6 * 1024 * 1024;

/** The event or result is larger than Lambda allows. */
export class PayloadTooLarge extends Error {
  override readonly name = 'PayloadTooLarge';
  readonly what: 'event' | 'result';

  constructor(what: 'event' | 'result') {
    super(`The ${what} is larger than the 6 MB that Lambda allows.`);
    this.what = what;
  }
}

/**
 * Invokes a function as Lambda does: event and result are serialised as JSON, so values that Lambda would lose are lost
 * here too, and the time is limited. Rejects with the function's error, on a timeout, or if the result is too large.
 * @param timeout in milliseconds; without it that of the deployed function.
 */
export async function invoke(
  name: FunctionName,
  handler: Handler,
  event: unknown,
  timeout = sizeOf(name).timeout * 1_000,
): Promise<unknown> {
  if (handler.length > 2) throw new Error(`${name} takes a callback, which Node.js 24 refuses.`);
  const sent = serialise(event, 'event');
  const { promise: tooSlow, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`${name} took longer than ${timeout} ms`)),
    timeout,
  );
  try {
    const work = running.run(name, async () =>
      handler(JSON.parse(sent) as never, contextOf(name, timeout)),
    );
    return asJson(await Promise.race([work, tooSlow]));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The result as after JSON serialisation. A result that is already plain JSON is not copied, because nothing else
 * references it.
 */
function asJson(result: unknown): unknown {
  return isSmallJson(result, 2) ? result : JSON.parse(serialise(result, 'result'));
}

function isSmallJson(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.length < payloadLimit / 6;
  if (typeof value === 'number') return Number.isInteger(value);
  if (typeof value === 'boolean') return true;
  if (depth === 0 || typeof value !== 'object' || value === null) return false;
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every((each) => isSmallJson(each, depth - 1));
}

function serialise(value: unknown, what: 'event' | 'result'): string {
  const text = JSON.stringify(value) ?? 'null';
  if (text.length > payloadLimit / 3 && Buffer.byteLength(text) > payloadLimit) {
    throw new PayloadTooLarge(what);
  }
  return text;
}

function contextOf(functionName: FunctionName, timeout: number): Context {
  const end = performance.now() + timeout;
  const nothing = () => {};
  return {
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: functionArn(functionName),
    memoryLimitInMB: String(sizeOf(functionName).memory),
    awsRequestId: randomUUID(),
    logGroupName: functionName,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(end - performance.now())),
    // Required by the type only; Node.js 24 on Lambda no longer has them.
    done: nothing,
    fail: nothing,
    succeed: nothing,
  };
}
