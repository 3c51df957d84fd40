import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { fromBundles } from '../../local/load.ts';
import { type Operation, routes } from '../../shared/contract/api.ts';
import { takesIdempotencyKey } from '../../shared/contract/route.ts';
import { bundleTogether } from '../soak/bundles.ts';
import type { Planted } from '../soak/plant.ts';
import { readBudgets } from '../support/budgets/budgets.ts';
import type { Prepare } from '../support/budgets/case.ts';
import { budgetCases } from '../support/budgets/cases.ts';
import { ownDatabase } from '../support/database.ts';
import { rawTable } from '../support/table.ts';
import { startWorld, type World } from '../support/world.ts';
import { followLanes } from './lanes.ts';
import { startProxy } from './proxy.ts';
import { Lane } from './traced-request.ts';

export type Scene = Awaited<ReturnType<typeof startScene>>;

/** One outcome of an endpoint. */
export type Case = {
  name: string;
  operation: Operation;
  prepare: Prepare;
  /** Whether a request may have an Idempotency-Key. */
  changes: boolean;
  /** Whether it must be prepared while nothing else runs, because that runs the stream functions. */
  alone: boolean;
  /** A resource that it shares with other cases, which are then prepared and run sequentially. */
  sharing: string | undefined;
};

/** Changes how many seconds an instance caches the project, the public keys and the secrets. */
const caching = (seconds: number): readonly Planted[] =>
  ['projectCache: 60', 'publicKeyCache: 300', 'secretCache: 300'].map((find) => ({
    file: 'shared/model/limits.ts',
    find,
    replace: find.replace(/\d+/, String(seconds)),
  }));

/** Makes each request run as on a cold instance, which reads the project and the public keys. */
export const cold = caching(0);
/** Prevents these reads even on a slow machine, so that all runs make the same calls. */
const warm = caching(3_600);

/**
 * Starts the service from its bundles, behind a proxy that injects faults into the calls of the lanes.
 * @param options.planted changes of the bundles, such as a bug.
 */
export async function startScene({ planted = [] }: { planted?: readonly Planted[] } = {}) {
  const bundles = await mkdtemp(join(tmpdir(), 'faults-'));
  const caches = planted.includes(cold[0] as Planted) ? [] : warm;
  await bundleTogether(bundles, [...caches, ...planted]);
  const database = await ownDatabase();
  const lanes = new Map<string, Lane>();
  const proxy = await startProxy({
    engine: () => database.endpoint,
    record: false,
    choose: (call) => lanes.get(call.lane?.replace(/ #\d+$/, '') ?? '')?.meet(call),
  });
  const endLanes = followLanes();
  const world = await startWorld({ bundles, endpoint: proxy.url, subscribers: false });
  const table = rawTable(database, world.table.name);

  return {
    world,
    cases: casesOf(world),
    table,
    database,
    load: fromBundles(bundles),
    /** Disables the table's stream: the engine keeps every record, which slows down each write. */
    async endStream() {
      const StreamSpecification = { StreamEnabled: false };
      const { name: TableName } = table;
      await table.client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
    },
    /** The number of DynamoDB calls. */
    calls: () => proxy.counts.calls,
    openLane(name: string): Lane {
      const lane = new Lane(table);
      lanes.set(name, lane);
      return lane;
    },
    async close() {
      endLanes();
      table.client.destroy();
      await proxy.close();
      await rm(bundles, { recursive: true });
    },
  };
}

/**
 * Cases of these operations have separate projects: a project has at most ten webhooks, and each case removes the
 * others; roles and permissions are one item.
 */
const ofWholeProject = /^(?:webhooks|roles|permissions)\./;

/** Every outcome of an endpoint, from its budgets, except those that neither read nor write. */
function casesOf(world: World): Case[] {
  let drained = false;
  const watched = {
    ...world,
    drainStream: () => {
      drained = true;
      return world.drainStream();
    },
  };
  const ofAll = budgetCases(watched);
  const budgets = readBudgets();
  const caseOf = (route: (typeof routes)[number], label: string): Case => {
    const operation = route.name;
    const one: Case = {
      name: `${operation} ${label}`,
      operation,
      changes: takesIdempotencyKey(route),
      alone: false,
      // There is only one name server.
      sharing: operation === 'domains.prove' ? operation : undefined,
      prepare: async () => {
        const cases = ofWholeProject.test(operation)
          ? budgetCases({ ...watched, project: await world.newProject() })
          : ofAll;
        drained = false;
        const call = await cases[operation][label]?.();
        if (!call) throw new Error(`${operation} has no case '${label}'.`);
        one.alone = drained;
        return call;
      },
    };
    return one;
  };
  return routes.flatMap((route) =>
    Object.keys(ofAll[route.name])
      .filter((label) => budgets[route.name]?.[label]?.rounds.length !== 0)
      .map((label) => caseOf(route, label)),
  );
}
