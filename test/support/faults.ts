import { randomUUID } from 'node:crypto';
import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { inject } from 'vitest';
import type { Item } from '#shared/db/item.ts';
import { createTable } from '../../local/table.ts';
import type { Call, Fault } from '../faults/fault.ts';
import { startProxy } from '../faults/proxy.ts';
import { ownDatabase } from './database.ts';

export type FaultyEngine = {
  url: string;
  /** Every call since the last `reset`, in the order of arrival. */
  calls: Call[];
  /** The next `times` calls that fit meet the fault. */
  inject(fault: Fault, options?: { times?: number; when?: (call: Call) => boolean }): void;
  reset(): void;
  close(): Promise<void>;
};

export type Faults = FaultyEngine & {
  /** Puts items straight into the engine. */
  seed(items: readonly Item[]): Promise<void>;
};

/** Puts a proxy before the database of this file that can fail in every way that a network and DynamoDB can. */
export async function startFaultyEngine(): Promise<FaultyEngine> {
  const { endpoint } = await ownDatabase();
  let injected: { fault: Fault; left: number; when: (call: Call) => boolean }[] = [];
  const { url, calls, close } = await startProxy({
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
    close,
  };
}

let shared: Promise<FaultyEngine> | undefined;

/**
 * Makes a table of its own behind a faulty engine, where the service's code in this process finds it. A worker that runs
 * file after file has one engine, because the service's client keeps the first address.
 */
export async function openFaultyTable(): Promise<Faults> {
  const engine = await (inject('shared') ? (shared ??= startFaultyEngine()) : startFaultyEngine());
  engine.reset();
  const { endpoint, accessKeyId } = await ownDatabase();
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
  return {
    ...engine,
    seed: async (items) => {
      for (let i = 0; i < items.length; i += 25) {
        const puts = items.slice(i, i + 25).map((item) => ({
          PutRequest: { Item: marshall(item) },
        }));
        await direct.send(new BatchWriteItemCommand({ RequestItems: { [TABLE_NAME]: puts } }));
      }
    },
    close: async () => {
      direct.destroy();
      if (!inject('shared')) await engine.close();
    },
  };
}
