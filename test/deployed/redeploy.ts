import { deepEqual, equal, ok } from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bearer, createClient } from '../../client/client.ts';
import { routes } from '../../shared/contract/api.ts';
import type { FunctionName } from '../../shared/contract/functions.ts';
import type { Assembly } from './assembly.ts';
import { fails } from './journeys/accounts.ts';
import type { Team } from './journeys/workspaces.ts';
import { codeHashes, deploy, holds } from './stack.ts';
import { type Person, personOf, type World } from './world.ts';

/** The route that is removed and restored. */
export const goneRoute = 'members.suspend';
/**
 * The response of the unchanged fallback: it still knows the path and the method, for which the gateway has no route.
 */
export const goneStatus = 404;
const changedFunction: FunctionName = 'users.getMe';

export type Redeployment = {
  /** Folder of the bundles for the next synthesis. */
  bundles: string;
  /** The deployment without `goneRoute`, and with all. */
  synthesise(name: string, options?: { without?: typeof goneRoute }): Promise<Assembly>;
  team: Team;
  /** Users whose sessions survive every deployment. */
  people: Person[];
};

/** Deploys a changed function and fewer routes, and then all routes again: data and sessions stay. */
export async function redeploy(world: World, options: Redeployment): Promise<void> {
  const { checks } = world;
  const { bundles, synthesise, team, people } = options;
  const { workspace_id, member, owner } = team;
  const suspend = (suspended: boolean) =>
    owner.client.members.suspend({ workspace_id, user_id: member.uid, suspended });
  const before = await codeHashes();

  await checks.check(
    `a change of ${changedFunction} without ${goneRoute} is deployed`,
    async () => {
      await appendFile(join(bundles, changedFunction, 'index.mjs'), '\n// changed\n');
      const assembly = await synthesise('second', { without: goneRoute });
      await deploy(assembly);
      ok(await holds(assembly.template));
    },
  );
  await checks.check(
    'one function has new code, one is gone, and all others are unchanged',
    async () => {
      const after = await codeHashes();
      const changed = Object.keys(after).filter((id) => after[id] !== before[id]);
      const gone = Object.keys(before).filter((id) => !(id in after));
      deepEqual([changed.map(nameOf), gone.map(nameOf)], [[changedFunction], [goneRoute]]);
      await fails(suspend(true), goneStatus);
    },
  );
  await stays(world, team, people);
  await checks.check(`${goneRoute} is deployed again`, async () => {
    const assembly = await synthesise('third');
    await deploy(assembly);
    ok(await holds(assembly.template));
    equal((await suspend(true)).body.suspended, true);
    await suspend(false);
  });
  await stays(world, team, people);
}

/** The function name in a logical id. */
const nameOf = (id: string): string =>
  routes.find(({ name }) => id.startsWith(`${name.replace('.', '')}Function`))?.name ?? id;

async function stays(world: World, team: Team, people: Person[]): Promise<void> {
  await signedIn(world, people);
  await world.checks.check('the workspace and its audit log are unchanged', async () => {
    const { body } = await world.backend.workspaces.get(team);
    equal(body.owner_id, team.owner.uid);
    ok((await team.owner.client.events.listOfWorkspace(team)).body.count > 0);
  });
}

/** Their tokens are valid, and can be refreshed. */
export async function signedIn({ checks, url }: World, people: readonly Person[]): Promise<void> {
  await checks.check('all users are still signed in, and can renew their sessions', async () => {
    for (const person of people) {
      const { client, refresh_token, access_token, uid } = person;
      equal((await client.users.getMe({})).body.uid, uid);
      const { body } = await createClient(url, {
        authorization: bearer(refresh_token),
        retries: 0,
      }).sessions.refresh({
        accessToken: access_token,
      });
      Object.assign(person, personOf({ url }, body));
    }
  });
}
