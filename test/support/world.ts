import { randomUUID } from 'node:crypto';
import { afterAll, inject } from 'vitest';
import { grants, type QueueFed, queueSources } from '../../lib/functions.ts';
import { functionArn, invoke } from '../../local/aws/lambda.ts';
import { enforceGrants } from '../../local/aws/permissions.ts';
import { startSecrets } from '../../local/aws/secrets-manager.ts';
import { startOutbox } from '../../local/aws/ses.ts';
import { createTable } from '../../local/engine/table.ts';
import {
  busName,
  configurationSet,
  deadLettersArn,
  plainSecretNames,
  scheduleGroup,
  scheduleRoleArn,
  secretEnvironment,
  secretNames,
} from '../../local/environment.ts';
import { type GatewayOptions, startGateway } from '../../local/http/gateway.ts';
import { mailPages } from '../../local/http/mail-page.ts';
import { fromBundles, fromSource } from '../../local/load.ts';
import { providerSecretsIn } from '../../local/provider-secrets.ts';
import { startEventConsumers } from '../../local/stream/event-consumers.ts';
import { type StreamFeed, startStream } from '../../local/stream/stream.ts';
import { routes } from '../../shared/contract/api.ts';
import { developmentXpub } from '../../shared/identity/wallet/development-wallet.ts';
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
  /** The Authorization header of its back end. */
  basic: string;
};

/** A user with a session. */
export type Person = {
  uid: string;
  email: string;
  access_token: string;
  refresh_token: string;
  /** The Authorization header of the person. */
  bearer: string;
  user: User;
  project: TestProject;
};

export type World = Awaited<ReturnType<typeof startWorld>>;

type Options = Pick<GatewayOptions, 'cors' | 'throttle' | 'remapAuthenticate'> & {
  /** Folder of bundles to serve instead of the sources. */
  bundles?: string;
  /** Whether the bus invokes what follows events; else it only keeps them. */
  subscribers?: boolean;
  /**
   * Milliseconds between two looks at the stream while one waits for it; by default it waits for what follows first.
   */
  interval?: number;
  /** Another address of the engine, such as that of a proxy before it. */
  endpoint?: string;
};

/**
 * Gives a test file the whole service and a project of its own in it. Called at the top of a file, it ends by itself. A
 * worker that runs file after file starts the service once, behind one engine: projects see nothing of one another. A
 * file that runs alone, or that wants the service otherwise, has one to itself. Nothing of `functions/` may be imported
 * before it: the SDK's clients read the environment when they are made.
 */
export async function startWorld(options: Options = {}) {
  const isUsual = Object.keys(options).every((name) => name === 'endpoint');
  if (isUsual && inject('shared')) {
    shared ??= { endpoint: options.endpoint, service: startService(options) };
    if (shared.endpoint !== options.endpoint) throw new Error('The worker has another engine.');
    return tenant(await shared.service);
  }
  const service = await startService(options);
  // Within a hook it is the caller who closes.
  try {
    afterAll(service.close);
  } catch {}
  return service;
}

let shared: { endpoint: string | undefined; service: ReturnType<typeof startService> } | undefined;

/** The shared service as one file sees it: a new project, and only the mails and events that come from now on. */
async function tenant(service: Awaited<ReturnType<typeof startService>>): Promise<typeof service> {
  const { bus, outbox, queues, schedules } = service;
  for (const each of [bus, outbox, queues, schedules]) each.failNoMore();
  schedules.clear();
  await service.freeProviderNames();
  // What the file before has written is nobody's business any more.
  await service.skipStream();
  const project = await service.newProject();
  const published = service.events().length;
  const mailed = new Set(service.mails().map(({ message_id }) => message_id));
  const user: typeof service.user = (given) => service.user({ project, ...given });
  const session = (uid: string, home = project) => service.session(uid, home);
  async function workspace(given: Parameters<typeof service.workspace>[0] = {}) {
    return service.workspace({ ...given, owner: given.owner ?? (await user()) });
  }
  return {
    ...service,
    project,
    user,
    session,
    workspace,
    mails: () => service.mails().filter(({ message_id }) => !mailed.has(message_id)),
    events: () => service.events().slice(published),
    close: async () => {},
  };
}

/**
 * Starts the whole service: its own table in its own database, a signing key, a project and an HTTP gateway that
 * enforces every function's grants.
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
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    ...secretEnvironment,
    MAIL_SENDER: 'no-reply@example.com',
    MAIL_CONFIGURATION_SET: configurationSet,
    EVENT_BUS: busName,
    SCHEDULE_GROUP: scheduleGroup,
    SCHEDULE_ROLE_ARN: scheduleRoleArn,
    DEAD_LETTERS_ARN: deadLettersArn,
    WEBHOOK_SENDER_ARN: functionArn('webhooks.deliver'),
    WALLET_XPUB: developmentXpub,
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: database.accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
    AWS_ENDPOINT_URL_SESV2: outbox.endpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.endpoint,
    AWS_ENDPOINT_URL_SCHEDULER: schedules.endpoint,
    AWS_ENDPOINT_URL_SQS: queues.endpoint,
    CHANGES_QUEUE_URL: queues.urlOf('changes'),
    MAILS_QUEUE_URL: queues.urlOf('mails'),
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

  /** Makes a project with a name of its own, by the operator's function. */
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

  /** Takes the providers from every project: the stand-ins of the next file have the same names and other issuers. */
  async function freeProviderNames(): Promise<void> {
    for (const project_id of withProviders)
      await operate({ action: 'update', project_id, sign_in_providers: null });
    withProviders.clear();
  }

  /** Calls, and throws unless the answer is a success: for what a test needs, not for what it tests. */
  async function make<T>(request: Call): Promise<T> {
    const { status, body } = await call<T>(request);
    if (status >= 300) {
      throw new Error(`${request.method} ${request.path}: ${status} ${JSON.stringify(body)}`);
    }
    return body;
  }

  /** Makes a user with a session. `verified`: the back end vouches for the e-mail. */
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
    // Functions from their sources share their client of the table with it. Bundles have their own, of another world
    // maybe.
    if (bundles === undefined) {
      const { startUser } = await import('./scenery.ts');
      const started = await startUser(home.basic, body);
      if (started) return personOf(started, home);
    }
    const { uid } = await make<User>({ method: 'POST', path: '/users', auth: home.basic, body });
    return session(uid, home);
  }

  /** Starts a further session of a user. */
  async function session(uid: string, home = project): Promise<Person> {
    const request = { method: 'POST', path: '/sessions', auth: home.basic, body: { uid } };
    return personOf(await make<Started>(request), home);
  }

  /** Makes a workspace, by default of a new user. */
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

  /** Makes a user, unless given, who is an accepted member of the workspace. */
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

  /** Makes a user with a proven e-mail, unless given, who is invited to the workspace. */
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

  /** Lets the functions of the stream work off every change made so far; between two calls they rest. */
  async function drainStream(): Promise<void> {
    feeding ??= startFeed();
    // What one of them writes may be another's business.
    for (let moved = true; moved; ) {
      moved = await (await feeding).drained();
      // What the bus brings to a function may change the table too.
      moved = (await bus.settled()) || moved;
      moved = (await outbox.settled()) || moved;
    }
  }

  /** Passes over every change made so far: no function sees it. What is in the queues already is worked off. */
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
    /** Every route by its name, for who calls: `as(ada).members.add({ workspace_id, user_id, role })`. */
    as: (who?: Caller) => routesAs(call, who),
    user,
    session,
    workspace,
    member,
    invited,
    table,
    secrets,
    /** What operators have set at identity providers, by `<project>/<provider>`. */
    providerSecrets,
    permissions,
    drainStream,
    skipStream,
    /** Between the stream and those who work it off; it can be told to fail. */
    queues,
    /** What was mailed, the newest first, and by whom: it can be told to fail. */
    mails: outbox.mails,
    outbox,
    /** What was published, in the order of arrival, each once for every time that it came. */
    events: () => bus.put().map(({ detail }) => detail as Event),
    bus,
    /** What is scheduled for later; it runs when a test says so. */
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

/** The Authorization header of a project's back end. */
function basic({ project_id, secret }: { project_id: string; secret: string }): string {
  return `Basic ${Buffer.from(`${project_id}:${secret}`).toString('base64')}`;
}
