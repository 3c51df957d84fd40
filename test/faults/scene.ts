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

/** A way that an endpoint can go. */
export type Case = {
  name: string;
  operation: Operation;
  prepare: Prepare;
  /** Whether a request may carry an Idempotency-Key. */
  changes: boolean;
  /** Whether it has to be prepared while nothing else is done: it lets the functions of the stream work. */
  alone: boolean;
  /** What it shares with other cases, which are then prepared and performed one after the other. */
  sharing: string | undefined;
};

/** Changes how many seconds an instance keeps the project, the public keys and the secrets. */
const caching = (seconds: number): readonly Planted[] =>
  ['projectCache: 60', 'publicKeyCache: 300', 'secretCache: 300'].map((find) => ({
    file: 'shared/model/limits.ts',
    find,
    replace: find.replace(/\d+/, String(seconds)),
  }));

/** Makes each request that of an instance which has just begun: it reads the project and the public keys. */
export const cold = caching(0);
/** Makes no request read them, however slow the machine: a call that one run makes, the next makes too. */
const warm = caching(3_600);

/**
 * Starts the service as it is deployed, the bundles, behind a proxy that spoils the calls of the lanes.
 * @param options.planted changes of it, such as a bug.
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
    /** Ends the stream of the table: the engine keeps every record of it, and each write takes longer by that. */
    async endStream() {
      const StreamSpecification = { StreamEnabled: false };
      const { name: TableName } = table;
      await table.client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
    },
    /** How many calls to DynamoDB were made. */
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
 * A case of these has a project to itself: a project holds ten webhooks, of which each case removes the others, and its
 * roles and permissions are one item.
 */
const ofWholeProject = /^(?:webhooks|roles|permissions)\./;

/** Every way that an endpoint can go, by its budgets; what reads and writes nothing can meet no fault. */
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
      // There is one name server at a time.
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
