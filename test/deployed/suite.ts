import { deepEqual, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { createClient } from '../../client/client.ts';
import { routes } from '../../shared/contract/api.ts';
import type { startNameServer } from '../support/name-server.ts';
import type { startOpenidProvider } from '../support/openid-provider.ts';
import type { StandIn } from '../support/provider-stand-in.ts';
import type { Siteverify } from '../support/siteverify.ts';
import { type Assembly, synthesise } from './assembly.ts';
import type { Checks } from './checks.ts';
import { doctor } from './doctor.ts';
import type { Emulator } from './emulator.ts';
import { type FrontDoor, openFrontDoor } from './front-door.ts';
import { sessions, signIn, users } from './journeys/accounts.ts';
import { apiKeys } from './journeys/api-keys.ts';
import { captcha } from './journeys/captcha.ts';
import { chromium } from './journeys/chromium.ts';
import { documentation } from './journeys/documentation.ts';
import { events, webhooks } from './journeys/events.ts';
import { hostedPages } from './journeys/hosted-pages.ts';
import { oauthClients } from './journeys/oauth-clients.ts';
import { operatorCommands } from './journeys/operator-commands.ts';
import { passkeys } from './journeys/passkeys.ts';
import { providers } from './journeys/providers.ts';
import { roles } from './journeys/roles.ts';
import { secondFactor } from './journeys/second-factor.ts';
import { type Team, workspaces } from './journeys/workspaces.ts';
import { Mailbox } from './mailbox.ts';
import { makeProject, secrets, verifySender } from './operator.ts';
import { oneAtATime } from './pace.ts';
import { policies } from './policies.ts';
import type { Receiver } from './receiver.ts';
import { goneRoute, goneStatus, redeploy, signedIn } from './redeploy.ts';
import { remove } from './removal.ts';
import { rotateSigningKey } from './rotation.ts';
import { bootstrap, deploy, holds, readOutputs } from './stack.ts';
import { notEmulated } from './unsupported.ts';
import { backendOf, type Person, type World } from './world.ts';

export type Stage = {
  checks: Checks;
  emulator: Emulator;
  /** Folder of the bundles. */
  bundles: string;
  /** Folder for all output. */
  folder: string;
  receiver: Receiver;
  google: Awaited<ReturnType<typeof startOpenidProvider>>;
  own: StandIn;
  siteverify: Siteverify;
  names: Awaited<ReturnType<typeof startNameServer>>;
};

/** From an empty account through use and two more deployments to the remains after the removal. */
export async function suite(stage: Stage): Promise<void> {
  const { checks, emulator, bundles, folder } = stage;
  const { world, door, assembly, outputs } = await begin(stage);
  const people: Person[] = [];
  let team: Team | undefined;
  await checks.journey('Signing in', async () => void people.push(await signIn(world)));
  await checks.journey('Captcha', () => captcha(world));
  await checks.journey('Providers', () => providers(world));
  await checks.journey('Sessions', async () => void people.push(await sessions(world)));
  await checks.journey('Users', () => users(world));
  await checks.journey('Passkeys', () => passkeys(world, outputs['BaseUrl'] ?? ''));
  await checks.journey('Second factor', () => secondFactor(world));
  await checks.journey('Workspaces', async () => {
    team = await workspaces(world);
    people.push(team.owner, team.member);
  });
  await checks.journey('Roles', async () => {
    if (team) await roles(world, team);
  });
  await checks.journey('API keys', async () => {
    if (team) await apiKeys(world, team);
  });
  await checks.journey('Events', async () => {
    if (team) await events(world, team, folder);
  });
  await checks.journey('Webhooks', () => webhooks(world));
  await checks.journey('Commands of the operator', () =>
    operatorCommands(world, outputs['BaseUrl'] ?? '', folder),
  );
  await checks.journey('Documentation', () => documentation(world, outputs['BaseUrl'] ?? ''));
  await checks.journey('Hosted pages', () => hostedPages(world, outputs['BaseUrl'] ?? ''));
  await checks.journey('Hosted pages in Chromium', () =>
    chromium(world, { url: outputs['BaseUrl'] ?? '', emulator: emulator.url }),
  );
  let revoked = () => Promise.resolve();
  await checks.journey('OAuth clients', async () => {
    revoked = await oauthClients(world);
  });
  await checks.journey('Secrets', () => secrets(world));
  await checks.journey('Rotating the signing key', async () => {
    await checks.check('the four steps of a rotation succeed', rotateSigningKey);
    await signedIn(world, people);
  });
  await checks.journey('Deploying again', async () => {
    if (!team) return;
    await redeploy(world, {
      ...{ bundles, team, people },
      synthesise: (name, options) => synthesise(join(folder, name), bundles, options),
    });
  });
  await checks.journey('What was revoked before', () => revoked());
  await checks.journey('Policies', () => policies(checks, emulator, outputs['TableName'] ?? ''));
  await checks.journey('Routes', () => covers(checks, door));
  await checks.journey('Removal', () => remove(checks, assembly, outputs['TableName'] ?? ''));
  door.close();
  await checks.journey('What the functions wrote', () => logs(checks, emulator));
}

/** Deploys, and creates the first key, a project and the front door. */
async function begin({ checks, emulator, bundles, folder, ...around }: Stage) {
  const assembly = await checks.check('cdk synth', () =>
    synthesise(join(folder, 'first'), bundles),
  );
  for (const { id, reason } of assembly.removed) write(`          without ${id}: ${reason}`);
  for (const each of notEmulated) write(`          not emulated: ${each}`);
  await checks.check('cdk bootstrap', () => bootstrap(folder));
  await checks.check('cdk deploy', () => deploy(assembly));
  await checks.check('the deployed stack equals the synthesised one', () => deployed(assembly));
  await verifySender(checks);
  const outputs = await readOutputs();
  const project = await makeProject(checks, around.google, around.own);
  const door = await openFrontDoor(emulator.url, outputs['BaseUrl'] ?? '', oneAtATime());
  const { url } = door;
  await doctor(checks, join(folder, 'first'));
  const mailbox = new Mailbox(emulator.url);
  const anyone = createClient(url, { retries: 0 });
  const backend = backendOf(url, project);
  const world: World = { checks, url, project, anyone, backend, mailbox, ...around };
  return { world, door, assembly, outputs };
}

async function deployed({ template }: Assembly): Promise<void> {
  ok(await holds(template), 'CloudFormation holds another template.');
}

/** Every route of the contract was called successfully, and every response was a documented one. */
async function covers(checks: Checks, { exchanges }: FrontDoor): Promise<void> {
  const unavailable = exchanges.filter(({ status }) => status >= 500);
  await checks.alone('no answer was a failure of the service', () => deepEqual(unavailable, []));
  for (const { name, method, path } of routes) {
    const own = exchanges.filter(
      ({ route, status }) => route === name && !(name === goneRoute && status === goneStatus),
    );
    const flaws = own.flatMap((exchange) => exchange.flaws);
    await checks.alone(`${method} ${path} answers as documented`, () => {
      ok(
        own.some(({ status }) => status < 400),
        `No journey calls ${name} with success: add a call in test/deployed/journeys/.`,
      );
      deepEqual(flaws, []);
    });
  }
}

async function logs(checks: Checks, emulator: Emulator): Promise<void> {
  const lines = (await emulator.log()).split('\n');
  await checks.check('no function wrote an error', () =>
    deepEqual(
      lines.filter((line) => line.includes('"level":"error"')),
      [],
    ),
  );
}

const write = (line: string) => void process.stdout.write(`${line}\n`);
