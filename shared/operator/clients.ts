import type { OAuthClient, Project } from '../access/projects.ts';
import { and, attributeUnchanged, exists } from '../db/condition.ts';
import { keys } from '../db/keys.ts';
import { currentRequest } from '../db/request-context.ts';
import { updateItem } from '../db/transaction.ts';
import { limits } from '../model/limits.ts';
import type { RequestOf } from './request.ts';
import { makeSecret, onProject } from './secrets.ts';
import { type ClientSummary, type ProjectSummary, summarize, summarizeClient } from './summary.ts';

/**
 * The clients of a project: applications that sign users in by its hosted pages. Whether a client is confidential is
 * decided when it is created: it then always has a secret, and a public one never has.
 */

/** A client as shown to the operator; `secret` only by the call that creates it. */
export type ShownClient = ClientSummary & { project_id: string; secret?: string };
type OfClient = { project_id: string; client: string };

/** Each lost race means that another writer succeeded, and there are that many clients to create at once. */
const tries = limits.oauthClientsPerProject + 2;

const idOf = ({ project_id, client }: OfClient): string => `${project_id}.${client}`;

/** Adds a client, with its first secret if it is confidential. */
export async function createClient(request: RequestOf<'create-client'>): Promise<ShownClient> {
  const { project_id, client_name, redirect_uris, post_logout_redirect_uris = [] } = request;
  const client_id = idOf(request);
  const created_at = currentRequest().now.toISOString();
  const made = request.confidential ? makeSecret(created_at) : undefined;
  const added: OAuthClient = {
    client_id,
    name: client_name,
    redirect_uris,
    post_logout_redirect_uris,
    secrets: made ? [made.stored] : [],
    created_at,
  };
  await onClients(project_id, (clients) => {
    if (clients.some((each) => each.client_id === client_id))
      throw new Error(`The client ${client_id} already exists.`);
    if (clients.length >= limits.oauthClientsPerProject)
      throw new Error(
        `The project ${project_id} has ${limits.oauthClientsPerProject} clients, which is the limit: delete one first.`,
      );
    return [...clients, added];
  });
  return { project_id, ...summarizeClient(added), ...(made && { secret: made.secret }) };
}

/** Changes the named settings of a client. */
export function updateClient(request: RequestOf<'update-client'>): Promise<ShownClient> {
  const { client_name, redirect_uris, post_logout_redirect_uris } = request;
  return replaceClient(request, (client) => ({
    ...client,
    ...(client_name !== undefined && { name: client_name }),
    ...(redirect_uris && { redirect_uris }),
    ...(post_logout_redirect_uris && { post_logout_redirect_uris }),
  }));
}

/** Deletes a client. Its sessions are not renewed any more: each ends with its access token. */
export function deleteClient(request: RequestOf<'delete-client'>): Promise<ProjectSummary> {
  return onClients(request.project_id, (clients) => {
    const { client_id } = requireClient(clients, request);
    return clients.filter((each) => each.client_id !== client_id);
  });
}

/** Adds a secret to a confidential client; the others stay valid. */
export async function createClientSecret(
  request: RequestOf<'create-client-secret'>,
): Promise<ShownClient> {
  const { secret, stored } = makeSecret(currentRequest().now.toISOString());
  const changed = await replaceClient(request, ({ secrets, ...client }) => {
    // With a secret it would be confidential, and the application that has none would be shut out at once.
    if (secrets.length === 0)
      throw new Error(
        `The client ${client.client_id} is public and has no secrets: create another one with --confidential true.`,
      );
    if (secrets.length >= limits.liveSecretsPerClient)
      throw new Error(
        `The client ${client.client_id} has ${limits.liveSecretsPerClient} secrets, which is the limit: revoke one first.`,
      );
    return { ...client, secrets: [stored, ...secrets] };
  });
  return { ...changed, secret };
}

/** Revokes a secret of a client. Running instances reject it within 60 s. */
export function revokeClientSecret(
  request: RequestOf<'revoke-client-secret'>,
): Promise<ShownClient> {
  const { secret_id } = request;
  return replaceClient(request, (client) => {
    const secrets = client.secrets.filter((each) => each.secret_id !== secret_id);
    if (secrets.length === client.secrets.length)
      throw new Error(`The client ${client.client_id} has no secret ${secret_id}.`);
    // A client without a secret is public: anyone could then redeem what was meant for its backend.
    if (secrets.length === 0)
      throw new Error(
        `${secret_id} is the only secret of the client ${client.client_id}: create another one first, or delete the client.`,
      );
    return { ...client, secrets };
  });
}

async function replaceClient(
  request: OfClient,
  change: (client: OAuthClient) => OAuthClient,
): Promise<ShownClient> {
  const { oauth_clients } = await onClients(request.project_id, (clients) => {
    const client = requireClient(clients, request);
    return clients.map((each) => (each === client ? change(client) : each));
  });
  return { project_id: request.project_id, ...requireClient(oauth_clients ?? [], request) };
}

function requireClient<C extends { client_id: string }>(clients: C[], request: OfClient): C {
  const client_id = idOf(request);
  const client = clients.find((each) => each.client_id === client_id);
  if (!client) throw new Error(`The client ${client_id} does not exist.`);
  return client;
}

/** Replaces the clients that were read by what `change` makes of them; again if they were changed meanwhile. */
const onClients = (
  project_id: string,
  change: (clients: OAuthClient[]) => OAuthClient[],
): Promise<ProjectSummary> =>
  onProject(project_id, tries, async ({ oauth_clients: seen }) => {
    const clients = change(seen ?? []).toSorted((a, b) => (a.client_id < b.client_id ? -1 : 1));
    const set = { modified_at: currentRequest().now.toISOString() };
    const changes =
      clients.length > 0
        ? { set: { ...set, oauth_clients: clients } }
        : { set, remove: ['oauth_clients'] };
    const clientsUnchanged = and(exists, attributeUnchanged('oauth_clients', seen));
    return summarize(
      await updateItem<Project>(keys.project(project_id), changes, clientsUnchanged),
    );
  });
