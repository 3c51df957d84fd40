import { routes } from '../shared/contract/api.ts';
import { fallback } from '../shared/contract/fallback.ts';
import {
  type EndpointName,
  type FunctionName,
  type JobName,
  jobNames,
} from '../shared/contract/functions.ts';
import { takesKey } from '../shared/contract/key-access.ts';
import {
  functionSeconds,
  isPublicByProject,
  isReadOnly,
  type Route,
  takesIdempotencyKey,
} from '../shared/contract/route.ts';
import type { EnvironmentName } from '../shared/model/env.ts';
import type { Job, QueueSource, Source } from './domain.ts';
import { events } from './domains/events.ts';
import { identity } from './domains/identity.ts';
import { mail } from './domains/mail.ts';
import { oauth } from './domains/oauth.ts';
import { platform } from './domains/platform.ts';
import { roles } from './domains/roles.ts';
import { signIn } from './domains/sign-in.ts';
import { webhooks } from './domains/webhooks.ts';
import { workspaces } from './domains/workspaces.ts';
import {
  type Access,
  type Grant,
  joined,
  onPartitions,
  secretsOf,
  secretVariables,
} from './grant.ts';

export const domains = {
  identity,
  signIn,
  workspaces,
  roles,
  webhooks,
  events,
  mail,
  oauth,
  platform,
} as const;

/** The domain that a function belongs to. */
export function domainOf(name: FunctionName): keyof typeof domains | undefined {
  const found = Object.entries(domains).find(
    ([, domain]) => name in domain.endpoints || name in domain.jobs,
  );
  return found?.[0] as keyof typeof domains | undefined;
}

/** The grant of each endpoint's own work. A missing endpoint does not compile; an unused right fails a test. */
const endpoints: Record<EndpointName, Grant> = {
  ...identity.endpoints,
  ...signIn.endpoints,
  ...workspaces.endpoints,
  ...roles.endpoints,
  ...webhooks.endpoints,
  ...events.endpoints,
  ...oauth.endpoints,
  ...platform.endpoints,
};

/** A missing job does not compile. */
const jobs: Record<JobName, Job> = {
  ...events.jobs,
  ...mail.jobs,
  ...webhooks.jobs,
  ...platform.jobs,
};

/** Every function: those of the routes, the one for all other requests, and the jobs. */
export const functionNames: readonly FunctionName[] = [
  ...routes.map(({ name }) => name),
  fallback.name,
  ...jobNames,
];

/** A backend authenticates with a project secret, whose use is recorded once a day. */
const ofBackends: Access = { get: ['projects'], put: ['secretUses'] };
/** A user authenticates with a token: it is verified with a public key, and its session is read. */
const ofPersons: Access = { get: ['projects', 'users'], query: ['keys'] };
/**
 * A program authenticates with an API key, which is read with its owner. Its use is recorded once a day, and counted
 * where the project limits it. A change is committed only if the key still exists.
 */
const ofKeys = (owner: 'users' | 'workspaces', route: Route): Access => ({
  get: ['projects', owner],
  ...(!isReadOnly(route) && { check: [owner] }),
  put: ['apiKeyUses'],
  update: ['apiKeyUses'],
});
/** A change may have an Idempotency-Key, which is claimed, answered or released; those of a user are counted. */
const ofChanges: Access = {
  put: ['idempotency'],
  update: ['idempotency'],
  delete: ['idempotency'],
};
/** A public route reads the project and counts the request. */
const ofDoors: Access = { get: ['projects'], update: ['rates'] };
/** A user who has ended their own session may request the stored response again. */
const ofChangesByPersons: Access = { get: ['idempotency'] };

/** The access that every route with these credentials needs in addition to its own work. */
function common(route: Route | undefined): Access {
  if (!route) return {};
  const [backend, person] = [route.auth.includes('project'), route.auth.includes('access')];
  return joined(
    ...(backend ? [ofBackends] : []),
    ...(person ? [ofPersons] : []),
    ...(takesKey(route, 'user') ? [ofKeys('users', route)] : []),
    ...(takesKey(route, 'workspace') ? [ofKeys('workspaces', route)] : []),
    ...(takesIdempotencyKey(route) ? [ofChanges] : []),
    ...(isPublicByProject(route) ? [ofDoors] : []),
    ...(takesIdempotencyKey(route) && person ? [ofChangesByPersons] : []),
  );
}

const routeOf = new Map<string, Route>(routes.map((route) => [route.name, route]));

/** The permissions that Lambda and other invoking services need in a job's role. */
function ofSource(source: Source): Grant {
  if (source === 'events' || source === 'mail-feedback') return { asynchronous: true };
  if (typeof source === 'string') return {};
  return 'queue' in source ? { takes: source.queue } : { stream: true };
}

/** The grant of every function: its own, and the additions of its route or sources. */
export const grants = Object.fromEntries([
  ...Object.entries(endpoints).map(([name, grant]) => [
    name,
    { ...grant, ...joined(grant, common(routeOf.get(name))) },
  ]),
  ...Object.entries(jobs).map(([name, { grant, sources }]) => [
    name,
    Object.assign({}, grant, ...sources.map(ofSource)),
  ]),
]) as Record<FunctionName, Grant>;

/** Whether API Gateway invokes a function. */
export const isEndpoint = (name: FunctionName): name is EndpointName => name in endpoints;

const jobOf = (name: FunctionName): Job | undefined => (jobs as Record<string, Job>)[name];

/**
 * MB and seconds. A request computes for a millisecond or two and then waits for DynamoDB, which costs by memory; a
 * cold start is pure CPU, about 100 ms of a full one. Below 1,024 MB cold starts become slow; more only makes waiting
 * more expensive. An endpoint has the timeout of its route.
 */
export const sizeOf = (name: FunctionName): { memory: number; timeout: number } =>
  jobOf(name) ?? { memory: 1024, timeout: functionSeconds(routeOf.get(name) ?? {}) };

/** The queue sources of functions. */
export const queueSources = {
  'stream.consume': events.jobs['stream.consume'].sources[0],
  'mail.send': mail.jobs['mail.send'].sources[0],
} as const satisfies { [N in JobName]?: QueueSource };
/** A function that a queue invokes. */
export type QueueFed = keyof typeof queueSources;

/** The functions that every event on the bus invokes, wrapped in EventBridge's envelope. */
export const subscribers = (Object.keys(jobs) as JobName[]).filter((name) =>
  jobs[name].sources.includes('events'),
);

/** The variables of a function: those that it reads. */
export function variablesOf(name: FunctionName): EnvironmentName[] {
  const grant = grants[name];
  const job = jobOf(name);
  const { indexes, stream, takes } = grant;
  const when = (reads: unknown, ...names: EnvironmentName[]) => (reads ? names : []);
  return [
    ...when(onPartitions(grant).length > 0 || indexes, 'TABLE_NAME'),
    // Every response may be a problem, whose `type` is a URL of the API.
    ...when(!job || job.knowsBaseUrl, 'BASE_URL'),
    // The rotation gets the secret's id in its event.
    ...secretsOf(grant).flatMap(([secret, use]) => (use === 'read' ? secretVariables[secret] : [])),
    ...when(grant.sendMail, 'MAIL_SENDER', 'MAIL_CONFIGURATION_SET'),
    ...when(grant.setsAside, 'DEAD_LETTERS_ARN'),
    ...when(stream || takes === 'changes', 'CHANGES_QUEUE_URL'),
    ...when(stream || takes === 'mails', 'MAILS_QUEUE_URL'),
    ...when(grant.publish, 'EVENT_BUS'),
    ...when(grant.schedule, 'SCHEDULE_GROUP', 'SCHEDULE_ROLE_ARN', 'DEAD_LETTERS_ARN'),
    // The sender itself learns its own ARN from each invocation.
    ...when(grant.schedule && !grant.asynchronous, 'WEBHOOK_SENDER_ARN'),
    ...when(grant.wallets, 'WALLET_XPUB', 'WALLET_TYPE'),
    // Requests may come through the operator's proxy.
    ...when(!job, 'TRUSTED_PROXY_SHA256', 'TRUSTED_PROXY_ONLY'),
  ];
}
