import {
  type CreateDocumentOptions,
  createDocument,
  createSchema,
  type ZodOpenApiOperationObject,
} from 'zod-openapi';
import { type EventType, eventTypes } from '../../model/events.ts';
import { limits } from '../../model/limits.ts';
import { type api, routes } from '../api.ts';
import { eventOf } from '../events.ts';
import { pathsOf } from '../paths.ts';
import type { Scheme } from '../route.ts';
import { eventType } from '../webhooks.ts';
import { headerComponents } from './headers.ts';
import { operation } from './operations.ts';
import { pascal, requestBodies, simplify } from './schemas.ts';

type SecurityScheme =
  | { type: 'http'; scheme: string; description: string }
  | { type: 'apiKey'; in: 'cookie'; name: string; description: string };

const securitySchemes: Record<Scheme, SecurityScheme> = {
  project: {
    type: 'http',
    scheme: 'basic',
    description:
      "The project's backend: project id as user name, one of its secrets as password (RFC 7617).",
  },
  access: {
    type: 'http',
    scheme: 'bearer',
    description: 'A user: the access token, a JWT valid for ten minutes (RFC 9068).',
  },
  refresh: {
    type: 'http',
    scheme: 'bearer',
    description: 'A session: the refresh token, only to renew the session.',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-session-{project_id}',
    description:
      'A browser at the hosted pages of the project: the refresh token of its session. Only for requests that the ' +
      'browser says come from these pages (`Sec-Fetch-Site`, or else `Origin`).',
  },
};

/** The tag of what webhooks receive: generators write one class for each tag of paths, and one for each of webhooks. */
const received = 'deliveries';

/** What each group of routes is for. */
export const tags: Record<keyof typeof api | typeof received, string> = {
  sessions: 'Start, renew, list and end sessions.',
  passwords: 'Sign in with e-mail and password.',
  codes: 'Sign in with a code sent by e-mail.',
  links: 'Sign in with a link sent by e-mail, in the browser that asked for it.',
  passkeys: 'Sign in with a passkey (WebAuthn).',
  factors: 'A second factor: an authenticator app, with recovery codes.',
  identities: 'Sign in with an ID token of an identity provider such as Google; linked accounts.',
  providers: 'Sign in at an identity provider to which the browser is redirected.',
  emails: "Verify or change the caller's e-mail.",
  users: 'The users of a project.',
  workspaces: 'Groups of users, each with an owner.',
  domains: 'E-mail domains whose users may join a workspace, or request to.',
  members: 'The members of a workspace and their roles.',
  invitations: 'Invitations to join a workspace.',
  joinRequests: 'Requests of users to join a workspace.',
  joinLinks: 'Links with which anyone who has them can join a workspace.',
  ownership: 'The owner of a workspace and transfers of ownership.',
  apiKeys: 'What programs of a user authenticate with.',
  workspaceKeys: 'What programs of a workspace authenticate with.',
  permissions: 'What roles can allow: permissions of the service, and of the project.',
  roles: 'What members may do: roles of every project, and of this one.',
  workspaceRoles: "Roles of a workspace's own, beside those of the project.",
  webhooks: 'Send events to a URL (Standard Webhooks).',
  [received]: 'What a webhook receives: one request for each type of event.',
  events: 'Events, as a feed of the project and as the audit log of a workspace.',
  stats: 'Numbers of a project.',
  projects: 'What sign-in pages show of a project.',
  browserSessions: 'The session of a browser with the hosted pages of a project.',
  oauth:
    'The OpenID provider: sign users in to applications by the hosted pages (OAuth 2.0, OpenID Connect).',
  discovery: 'Metadata and keys for verifiers of access tokens.',
  docs: 'This documentation.',
  pages: 'Hosted pages: sign-in, account and workspaces, in a browser.',
};

const opts: CreateDocumentOptions = {
  override: ({ jsonSchema, io }) => simplify(jsonSchema, io),
};

/** The whole contract as an OpenAPI 3.1 document. */
export function openapi(version: string): Record<string, unknown> {
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Identity and workspace service',
        version,
        description:
          'User accounts, sessions, workspaces and memberships. Every resource belongs to one project and is not ' +
          'visible to another: an id of another project returns 404. Timestamps are ISO 8601 in UTC. ' +
          `A body has at most ${limits.body / 1_024} KiB unless the operation states otherwise. ` +
          'If API Gateway rejects a request itself (throttled, too large, timed out), the status is the same and the ' +
          'body is `{"message": "..."}`.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', 'x-internal': false }],
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      paths: pathsOf(routes, operation),
      webhooks: notices(),
      components: {
        securitySchemes,
        schemas: {
          ...requestBodies(routes),
          EventType: eventType.meta({ unusedIO: 'input' }),
          ...eventSchemas(),
        },
        headers: headerComponents,
      },
    },
    opts,
  );
  return { ...document };
}

/** Every event type with its description, as published and sent. */
function notices(): Record<string, Record<'post', ZodOpenApiOperationObject>> {
  return Object.fromEntries(
    Object.entries(eventTypes).map(([type, description]) => [
      type,
      {
        post: {
          operationId: type,
          tags: [received],
          summary: description,
          security: [],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: { $ref: `#/components/schemas/${eventName(type)}` },
              },
            },
          },
          responses: { '2XX': { description: 'Accepted.' }, '4XX': { description: 'Rejected.' } },
        },
      },
    ]),
  );
}

/** `user.created` as the name of a component: `UserCreatedEvent`. */
const eventName = (type: string): string => `${pascal(type)}Event`;

/** The events as components: some generators write no valid code for a webhook with an unnamed body. */
const eventSchemas = () =>
  Object.fromEntries(
    Object.keys(eventTypes).map((type) => [
      eventName(type),
      // What we send: the feed's response has the same `Event`.
      createSchema(eventOf(type as EventType), { io: 'output', opts }).schema,
    ]),
  );
