import { randomUUID } from 'node:crypto';
import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeEach, expect, inject } from 'vitest';
import type { Item } from '#shared/db/item.ts';
import { createTable } from '../../local/engine/table.ts';
import { type Call, doneAfter, exception, type Fault, isTransaction } from '../faults/fault.ts';
import { startProxy } from '../faults/proxy.ts';
import { freshDatabase, ownDatabase } from './database.ts';

export type FaultyEngine = {
  url: string;
  /** Every call since the last `reset`, in the order of arrival. */
  calls: Call[];
  /** Injects the fault into the next `times` matching calls. */
  inject(fault: Fault, options?: { times?: number; when?: (call: Call) => boolean }): void;
  /** Does this completely between the reads of the next request and its transaction. */
  beforeWrite(work: () => Promise<unknown>): void;
  reset(): void;
  /** Resolves when no call is in flight. */
  quiet(): Promise<void>;
  close(): Promise<void>;
};

export type Faults = Omit<FaultyEngine, 'close'> & {
  /** Puts items directly into the engine. */
  seed(items: readonly Item[]): Promise<void>;
  /** The operations on the table since the last `reset`. */
  operations(): string[];
};

/** Starts a proxy before this file's database that can fail in every way in which a network or DynamoDB can. */
export async function startFaultyEngine(): Promise<FaultyEngine> {
  const { endpoint } = await ownDatabase();
  let injected: { fault: Fault; left: number; when: (call: Call) => boolean }[] = [];
  const { url, calls, quiet, close } = await startProxy({
    engine: () => endpoint,
    choose: (call) => {
      const next = injected.find(({ left, when }) => left > 0 && when(call));
      if (next) next.left -= 1;
      return next?.fault;
    },
  });
  const injectFault: FaultyEngine['inject'] = (fault, { times = 1, when = () => true } = {}) => {
    injected.push({ fault, left: times, when });
  };
  return {
    url,
    calls,
    inject: injectFault,
    beforeWrite: (work) => injectFault(doneAfter(work), { when: isTransaction }),
    reset: () => {
      injected = [];
      calls.length = 0;
    },
    quiet,
    close,
  };
}

let shared: Promise<FaultyEngine> | undefined;

/**
 * The faulty engine of this file, reset before each test. Called at the top of a file; it closes itself. A worker that
 * runs file after file has only one, because the service's client keeps the first URL.
 */
export async function ownFaultyEngine(): Promise<FaultyEngine> {
  const isShared = inject('shared');
  const engine = await (isShared ? (shared ??= startFaultyEngine()) : startFaultyEngine());
  engine.reset();
  beforeEach(() => engine.reset());
  if (!isShared) afterAll(() => engine.close());
  return engine;
}

/**
 * Creates a table behind the faulty engine of this file and configures the service's code in this process to use it.
 */
export async function openFaultyTable(): Promise<Faults> {
  const engine = await ownFaultyEngine();
  const { endpoint, accessKeyId } = await freshDatabase();
  const TABLE_NAME = `faults-${randomUUID()}`;
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: engine.url,
    TABLE_NAME,
  });
  const direct = new DynamoDBClient({ endpoint });
  await createTable(direct, TABLE_NAME);
  afterAll(() => direct.destroy());
  const { close: _, ...rest } = engine;
  return {
    ...rest,
    operations: () => engine.calls.map(({ operation }) => operation),
    seed: async (items) => {
      for (let i = 0; i < items.length; i += 25) {
        const puts = items.slice(i, i + 25).map((item) => ({
          PutRequest: { Item: marshall(item) },
        }));
        await direct.send(new BatchWriteItemCommand({ RequestItems: { [TABLE_NAME]: puts } }));
      }
    },
  };
}

/** Faults that end an invocation at a call, before or after the engine executes it. */
export const deaths: Record<string, Fault> = {
  before: exception('ValidationException'),
  after: async (exchange) => {
    await exchange.forward();
    await exception('ValidationException')(exchange);
  },
};

/**
 * Runs a job repeatedly and kills it at the first call, then the second, and so on, until a run completes. Returns the
 * number of deaths.
 */
export async function dieAtEveryCall(faults: Faults, death: Fault, job: () => Promise<unknown>) {
  for (let calls = 0; ; calls += 1) {
    let passed = 0;
    faults.reset();
    faults.inject(death, { when: () => (passed += 1) === calls + 1 });
    const ended = await job().then(
      () => 'done',
      (error: Error) => error.name,
    );
    faults.reset();
    if (ended === 'done') return calls;
    expect(ended).toBe('ValidationException');
  }
}
