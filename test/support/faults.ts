import { randomUUID } from 'node:crypto';
import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeEach, expect, inject } from 'vitest';
import type { Item } from '#shared/db/item.ts';
import { createTable } from '../../local/engine/table.ts';
import { type Call, exception, type Fault } from '../faults/fault.ts';
import { startProxy } from '../faults/proxy.ts';
import { freshDatabase, ownDatabase } from './database.ts';

export type FaultyEngine = {
  url: string;
  /** Every call since the last `reset`, in the order of arrival. */
  calls: Call[];
  /** The next `times` calls that fit meet the fault. */
  inject(fault: Fault, options?: { times?: number; when?: (call: Call) => boolean }): void;
  reset(): void;
  /** Resolves when no call is under way. */
  quiet(): Promise<void>;
  close(): Promise<void>;
};

export type Faults = Omit<FaultyEngine, 'close'> & {
  /** Puts items straight into the engine. */
  seed(items: readonly Item[]): Promise<void>;
  /** What was asked of the table since the last `reset`. */
  operations(): string[];
};

/** Puts a proxy before the database of this file that can fail in every way that a network and DynamoDB can. */
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
  return {
    url,
    calls,
    inject: (fault, { times = 1, when = () => true } = {}) => {
      injected.push({ fault, left: times, when });
    },
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
 * The faulty engine of this file: each test begins with no call and no fault. Called at the top of a file, it ends by
 * itself. A worker that runs file after file has one, because the service's client keeps the first address.
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
 * Makes a table of its own behind the faulty engine of this file, where the service's code in this process finds it.
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

/** An invocation ends at a call, before it is done or after it: nothing of it goes on. */
export const deaths: Record<string, Fault> = {
  before: exception('ValidationException'),
  after: async (exchange) => {
    await exchange.forward();
    await exception('ValidationException')(exchange);
  },
};

/**
 * Lets a job die at every one of its calls in turn, each time beginning again, until it is through; how many those are.
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
