import { randomUUID } from 'node:crypto';
import { afterAll, inject } from 'vitest';
import { grants, type QueueFed, queueSources } from '../../lib/functions.ts';
import { invoke } from '../../local/aws/lambda.ts';
import { enforceGrants } from '../../local/aws/permissions.ts';
import { startSecrets } from '../../local/aws/secrets-manager.ts';
import { startOutbox } from '../../local/aws/ses.ts';
import { createTable } from '../../local/engine/table.ts';
import { plainSecretNames, secretNames, setEnvironment } from '../../local/environment.ts';
import { type GatewayOptions, startGateway } from '../../local/http/gateway.ts';
import { mailPages } from '../../local/http/mail-page.ts';
import { fromBundles, fromSource } from '../../local/load.ts';
import { providerSecretsIn } from '../../local/provider-secrets.ts';
import { startEventConsumers } from '../../local/stream/event-consumers.ts';
import { type StreamFeed, startStream } from '../../local/stream/stream.ts';
import { routes } from '../../shared/contract/api.ts';
import type { Event } from '../../shared/model/events.ts';
import type { Role } from '../../shared/model/fields.ts';
import type { User } from '../../shared/model/user-resources.ts';
import type { Invitation, Member, Workspace } from '../../shared/model/workspace-resources.ts';
import { type Call, caller } from './call.ts';
import { ownDatabase } from './database.ts';
import { type Caller, routesAs } from './routes.ts';
import type { Started } from './scenery.ts';
import { rawTable } from './table.ts';

export type TestProject = {
  project_id: string;
  secret: string;
  /** The Authorization header of its backend. */
  basic: string;
};

/** A user with a session. */
export type Person = {
  uid: string;
  email: string;
  access_token: string;
  refresh_token: string;
  /** The Authorization header of the user. */
  bearer: string;
  user: User;
  project: TestProject;
};

export type World = Awaited<ReturnType<typeof startWorld>>;

type Options = Pick<GatewayOptions, 'cors' | 'throttle' | 'remapAuthenticate'> & {
  /** Folder of bundles to serve instead of the sources. */
  bundles?: string;
  /** Whether the bus invokes the event consumers; else it only records events. */
  subscribers?: boolean;
  /** Milliseconds between two polls of the stream; by default, a poll waits for the consumers of the previous one. */
  interval?: number;
  /** Another URL of the engine, such as that of a proxy. */
  endpoint?: string;
};

/**
 * Starts the whole service with a project for this test file. Called at the top of a file; it stops itself. A worker
 * that runs file after file starts the service once, with one engine: projects are isolated from one another. A file
 * that runs alone, or with options, has its own service. Import nothing from `functions/` before: the SDK's clients
 * read the environment when they are created.
 */
export async function startWorld(options: Options = {}) {
  const isUsual = Object.keys(options).every((name) => name === 'endpoint');
  if (isUsual && inject('shared')) {
    shared ??= { endpoint: options.endpoint, service: startService(options) };
    if (shared.endpoint !== options.endpoint) throw new Error('The worker has another engine.');
    return tenant(await shared.service);
  }
  const service = await startService(options);
  // Within a hook the caller closes it.
  try {
    afterAll(service.close);
  } catch {}
  return service;
}

let shared: { endpoint: string | undefined; service: ReturnType<typeof startService> } | undefined;

/** The shared service for one file: a new project, and only mails and events from now on. */
async function tenant(service: Awaited<ReturnType<typeof startService>>): Promise<typeof service> {
  const { bus, outbox, queues, schedules } = service;
  for (const each of [bus, outbox, queues, schedules]) each.failNoMore();
  schedules.clear();
  await service.freeProviderNames();
  // Changes of earlier files are skipped.
  await service.skipStream();
  const project = await service.newProject();
  const published = service.events().length;
  const mailed = new Set(service.mails().map(({ message_id }) => message_id));
  return {
    ...inProject(service, project),
    mails: () => service.mails().filter(({ message_id }) => !mailed.has(message_id)),
    events: () => service.events().slice(published),
    close: async () => {},
  };
}

/** The same service with another project for its users and workspaces. */
export function inProject(world: World, project: TestProject): World {
  const user: World['user'] = (given) => world.user({ project, ...given });
  const session = (uid: string, home = project) => world.session(uid, home);
  async function workspace(given: Parameters<World['workspace']>[0] = {}) {
    return world.workspace({ ...given, owner: given.owner ?? (await user()) });
  }
  return { ...world, project, user, session, workspace };
}

/**
 * Starts the whole service: a table in a separate database, a signing key, a project, and an HTTP gateway that enforces
 * every function's grants.
 */
async function startService(options: Options) {
  const database = await ownDatabase();
  const { endpoint = database.endpoint } = options;
  const providerSecrets = providerSecretsIn(undefined);
  const secrets = await startSecrets(secretNames.signing, {
    plain: plainSecretNames,
    providers: providerSecrets,
  });
  const outbox = await startOutbox();
  const bundles = options.bundles ?? inject('bundles');
  const fromBundle = bundles === undefined ? fromSource : fromBundles(bundles);
  const load: typeof fromSource = (name) =>
    (/^(?:docs|pages)\./.test(name) ? fromSource : fromBundle)(name);
  const { queues, bus, schedules, work, subscribe } = await startEventConsumers({
    load,
    outbox,
    longestPause: 25,
  });
  const tableName = `test-${randomUUID()}`;
  setEnvironment({
    dynamodb: endpoint,
    secrets: secrets.endpoint,
    mail: outbox.endpoint,
    events: bus.endpoint,
    schedules: schedules.endpoint,
    queues,
  });
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    AWS_ACCESS_KEY_ID: database.accessKeyId,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
  });
  const table = rawTable({ ...database, endpoint }, tableName);
  await createTable(table.client, tableName);
  const permissions = enforceGrants(grants);
  const gateway = await startGateway({ routes, load, page: mailPages(outbox.mails), ...options });
  process.env['BASE_URL'] = gateway.url;
  const call = caller(gateway.url);
  await secrets.rotate(await load('keys.rotate'));
  const withProviders = new Set<string>();
  const project = await newProject();
  let feeding: Promise<StreamFeed> | undefined;
  let skipping = false;
  let people = 0;

  /** Creates a project with a unique name by the operator's function. */
  async function newProject(settings: object = {}): Promise<TestProject> {
    const project_id = `p${randomUUID().slice(0, 12)}`;
    const made = await operate({ action: 'create', name: 'Test', project_id, ...settings });
    const { secret } = made as { secret: string };
    return { project_id, secret, basic: basic({ project_id, secret }) };
  }

  /** Invokes the operator's function. */
  async function operate(request: object): Promise<unknown> {
    const handler = await load('projects.admin');
    const made = await invoke('projects.admin', handler, request);
    const { project_id, sign_in_providers } = (made ?? {}) as Record<string, unknown>;
    if (sign_in_providers !== undefined) withProviders.add(String(project_id));
    return made;
  }

  /** Removes the providers of every project: the stand-ins of the next file have the same names but other issuers. */
  async function freeProviderNames(): Promise<void> {
    for (const project_id of withProviders)
      await operate({ action: 'update', project_id, sign_in_providers: null });
    withProviders.clear();
  }

  /** Sends a request and throws unless it succeeds: for the setup of a test, not for its subject. */
  async function make<T>(request: Call): Promise<T> {
    const { status, body } = await call<T>(request);
    if (status >= 300) {
      throw new Error(`${request.method} ${request.path}: ${status} ${JSON.stringify(body)}`);
    }
    return body;
  }

  /** Creates a user with a session. `verified`: the backend vouches for the e-mail. */
  async function user(
    given: { email?: string; verified?: boolean; project?: TestProject } & Partial<
      Omit<User, 'verified' | 'email'>
    > = {},
  ): Promise<Person> {
    people += 1;
    const {
      email = `person${people}@example.com`,
      verified,
      project: home = project,
      ...profile
    } = given;
    const body = { ...profile, email, ...(verified && { email_verified: true }) };
    // Functions run from source share the DynamoDB client of this process. Bundles have their own, maybe of another
    // world.
    if (bundles === undefined) {
      const { startUser } = await import('./scenery.ts');
      const started = await startUser(home.basic, body);
      if (started) return personOf(started, home);
    }
    const { uid } = await make<User>({ method: 'POST', path: '/users', auth: home.basic, body });
    return session(uid, home);
  }

  /** Starts another session of a user. */
  async function session(uid: string, home = project): Promise<Person> {
    const request = { method: 'POST', path: '/sessions', auth: home.basic, body: { uid } };
    return personOf(await make<Started>(request), home);
  }

  /** Creates a workspace, by default for a new user. */
  async function workspace(
    given: { owner?: Person; name?: string; description?: string; logo?: string } = {},
  ): Promise<Workspace & { owner: Person }> {
    const { owner = await user(), name = 'Acme', ...rest } = given;
    const made = await make<Workspace>({
      method: 'POST',
      path: '/workspaces',
      auth: owner.project.basic,
      body: { name, owner_id: owner.uid, ...rest },
    });
    return { ...made, owner };
  }

  /** Exchanges the tokens of a session for the next ones. */
  const renew = ({ refresh_token, access_token: accessToken }: Omit<Started, 'uid' | 'user'>) =>
    routesAs(call, `Bearer ${refresh_token}`).sessions.refresh({ accessToken });

  /** Adds an accepted member to the workspace, by default a new user. */
  async function member(
    to: { workspace_id: string; owner: Person },
    role: Role = 'member',
    person?: Person,
  ): Promise<Person & { member: Member }> {
    const { project: home } = to.owner;
    const joining = person ?? (await user({ project: home }));
    const added = await make<Member>({
      method: 'POST',
      path: `/workspaces/${to.workspace_id}/users`,
      auth: home.basic,
      body: { user_id: joining.uid, role },
    });
    return { ...joining, member: added };
  }

  /** Invites a user to the workspace, by default a new one with a verified e-mail. */
  async function invited(
    to: { workspace_id: string; owner: Person },
    role: Role = 'member',
    person?: Person,
  ): Promise<Person & { member: Member; link: string }> {
    const { project: home } = to.owner;
    const joining = person ?? (await user({ project: home, verified: true }));
    const invitation = await make<Invitation>({
      method: 'POST',
      path: `/workspaces/${to.workspace_id}/invitations`,
      auth: home.basic,
      body: { email: joining.email, role },
    });
    const { state: _, expires_at: __, link = '', ...pending } = invitation;
    return { ...joining, member: pending, link };
  }

  /** Runs the stream functions until they have processed every change so far. They run only during this call. */
  async function drainStream(): Promise<void> {
    feeding ??= startFeed();
    // Writes of one function may be input for another.
    for (let moved = true; moved; ) {
      moved = await (await feeding).drained();
      // Event consumers may also change the table.
      moved = (await bus.settled()) || moved;
      moved = (await outbox.settled()) || moved;
    }
  }

  /** Skips every change so far: no function receives it. Queued messages are still processed. */
  async function skipStream(): Promise<void> {
    skipping = true;
    await drainStream().finally(() => (skipping = false));
  }

  if (options.subscribers !== false) await subscribe();

  async function startFeed(): Promise<StreamFeed> {
    for (const name of ['stream.sort', ...(Object.keys(queueSources) as QueueFed[])] as const)
      permissions.useStream(name);
    await work();
    const sort = await load('stream.sort');
    const handler: typeof sort = async (...event) => (skipping ? undefined : sort(...event));
    const { interval = 2 ** 31 - 1 } = options;
    const rest = { interval, longestPause: 25 };
    return startStream({ endpoint, client: table.client, tableName, handler, queues, ...rest });
  }

  async function close(): Promise<void> {
    permissions.stop();
    await (await feeding)?.stop();
    await queues.close();
    await Promise.all([
      gateway.close(),
      secrets.close(),
      outbox.close(),
      bus.close(),
      schedules.close(),
    ]);
    table.client.destroy();
  }
  return {
    url: gateway.url,
    project,
    newProject,
    operate,
    freeProviderNames,
    basic,
    call,
    /** Every route by its name, for a caller: `as(ada).members.add({ workspace_id, user_id, role })`. */
    as: (who?: Caller) => routesAs(call, who),
    user,
    session,
    renew,
    workspace,
    member,
    invited,
    table,
    secrets,
    /** Client secrets of identity providers as set by operators, by `<project>/<provider>`. */
    providerSecrets,
    permissions,
    drainStream,
    skipStream,
    /** The queues between the stream and its consumers; they can be set to fail. */
    queues,
    /** All sent mails, newest first. */
    mails: outbox.mails,
    outbox,
    /** All published events in order of arrival, including duplicates. */
    events: () => bus.put().map(({ detail }) => detail as Event),
    bus,
    /** Scheduled invocations, which run only when a test runs them. */
    schedules,
    close,
  };
}

function personOf(
  { uid, access_token, refresh_token, user }: Started,
  project: TestProject,
): Person {
  const bearer = `Bearer ${access_token}`;
  return { uid, email: user.email, access_token, refresh_token, bearer, user, project };
}

/** The Authorization header of a project's backend. */
function basic({ project_id, secret }: { project_id: string; secret: string }): string {
  return `Basic ${Buffer.from(`${project_id}:${secret}`).toString('base64')}`;
}
