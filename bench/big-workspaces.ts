/**
 * Deletes and restores a workspace of 10,000 members, and changes the profile of a member of 1,000 workspaces, in the
 * service that `npm start` runs. Meanwhile it changes users of another project, and others of the same project. Prints
 * how long each operation takes, and how long those changes take to reach the feeds of their projects.
 *
 *     npm run bench:big                      about a minute
 *     npm run bench:big -- --members 2000    a smaller workspace
 *     npm run bench:big -- --bundles         the bundles that are deployed
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { basic } from '../client/client.ts';
import { engineInUse } from '../local/engine/data.ts';
import { tableName } from '../local/environment.ts';
import { keys } from '../shared/db/keys.ts';
import { isArchived } from '../shared/workspaces/items.ts';
import { rawTable } from '../test/support/table.ts';
import { big, bystanders, other, seed } from './big-workspaces-seed.ts';
import { type Api, apiOf, ask } from './http.ts';
import { median, quantile, table } from './report.ts';
import { startServer } from './service-process.ts';

const { values: flags } = parseArgs({
  options: {
    members: { type: 'string', default: '10000' },
    memberships: { type: 'string', default: '1000' },
    bundles: { type: 'boolean', default: false },
  },
});
/** A kept-alive connection may be closed while the service is busy. */
const agent = new Agent({ keepAlive: false });
/** Milliseconds after which a change counts as lost. */
const patience = 180_000;

const folder = await mkdtemp(join(tmpdir(), 'big-workspaces-'));
try {
  const { workspace_id, last, ada, places } = await seed(folder, {
    members: Number(flags.members),
    memberships: Number(flags.memberships),
  });
  const project = [big, other].map((id) => `--project=${id}`);
  const bundles = flags.bundles ? ['--bundles'] : [];
  await using service = await startServer('../local/serve.ts', {
    args: [`--data=${folder}`, '--json', '--port=0', ...project, ...bundles],
    piped: true,
  });
  const raw = rawTable(
    { endpoint: (await engineInUse(folder)) ?? '', accessKeyId: 'local' },
    tableName,
  );
  const [ours, theirs] = service.projects.map(({ project_id, secret }) =>
    apiOf((call) => ask(service.url, call, agent), basic(project_id, secret)),
  ) as [Api, Api];
  const archived = async () => isArchived((await raw.get(last)) as never);
  const renamed = async () => {
    const member = await raw.get(keys.member(places.at(-1) ?? '', ada));
    return String(member?.['profile']).includes('Renamed');
  };

  const rows: string[][] = [];
  const measure = async (
    name: string,
    begin: () => Promise<unknown>,
    done: () => Promise<boolean>,
  ) => {
    const watches = [watch(theirs, bystanders.other), watch(ours, bystanders.big)];
    const delays: number[][] = [];
    const began = performance.now();
    let seconds: number;
    try {
      await begin();
      await until(done);
      seconds = (performance.now() - began) / 1_000;
      // The work that follows from the operation ends too.
      await watches[1]?.quiet();
    } finally {
      for (const each of watches) delays.push(await each.stop());
    }
    const all = (performance.now() - began) / 1_000;
    rows.push([
      name,
      ...[seconds, all].map((each) => each.toFixed(1)),
      ...delays.flatMap((each) => [median(each), quantile(each, 1)]).map((each) => each.toFixed()),
    ]);
  };
  await measure(
    'nothing',
    () => sleep(3_000),
    async () => true,
  );
  const path = `/workspaces/${workspace_id}`;
  await measure('deletion', () => ours('DELETE', path), archived);
  await expectAll(true);
  await measure(
    'restoring',
    () => ours('POST', `${path}/restore`, undefined, 200),
    async () => !(await archived()),
  );
  await expectAll(false);
  const change = { display_name: 'Renamed' };
  await measure('profile', () => ours('PUT', `/users/${ada}`, change), renamed);
  const heads = ['work', 's', 's with what follows'];
  console.log(table([...heads, 'other project, ms', 'max', 'same project, ms', 'max'], rows));
  raw.client.destroy();

  async function expectAll(wanted: boolean): Promise<void> {
    const items = await raw.query(keys.workspace(workspace_id).pk, 'MEMBER#');
    const wrong = items.filter((item) => isArchived(item as never) !== wanted).length;
    if (wrong > 0) throw new Error(`${wrong} of ${items.length} members are left`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Changes a user repeatedly, and records how long each change takes to reach the feed. */
function watch(api: Api, uid: string) {
  const delays: number[] = [];
  const stopping = new AbortController();
  const run = (async () => {
    let after = await endOf(api);
    for (let i = 0; !stopping.signal.aborted; i += 1) {
      const display_name = `Watcher ${i} ${Date.now()}`;
      await api('PUT', `/users/${uid}`, { display_name });
      const began = performance.now();
      await until(async () => {
        const { result, next_cursor } = await page(api, after);
        after = next_cursor;
        return JSON.stringify(result).includes(display_name);
      });
      delays.push(performance.now() - began);
      // Polling loads the service too.
      await sleep(200);
    }
  })();
  return {
    /** Resolves when changes come through as fast as in an idle service. */
    async quiet() {
      const seen = delays.length;
      await until(async () => {
        const newest = delays.slice(Math.max(seen, delays.length - 3));
        return newest.length === 3 && newest.every((delay) => delay < 400);
      });
    },
    async stop() {
      stopping.abort();
      await run;
      return delays;
    },
  };
}

type Page = { result: unknown[]; next_cursor: string };
async function page(api: Api, after: string): Promise<Page> {
  return (await api('GET', `/events?limit=100&after=${after}`)) as unknown as Page;
}

async function endOf(api: Api): Promise<string> {
  for (let after = '0'; ; ) {
    const { result, next_cursor } = await page(api, after);
    if (result.length === 0) return after;
    after = next_cursor;
  }
}

async function until(done: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patience;
  while (!(await done())) {
    if (Date.now() > deadline) throw new Error('It does not come to an end.');
    await sleep(20);
  }
}
