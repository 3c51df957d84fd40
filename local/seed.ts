import { type DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Project } from '../shared/access/projects.ts';
import { publicKeys } from '../shared/db/key-prefixes.ts';
import { keys } from '../shared/db/keys.ts';
import { sha256 } from '../shared/model/ids.ts';
import { limits } from '../shared/model/limits.ts';
import { tableName } from './environment.ts';
import { keepSecret, operate, readSecrets, secretResult } from './operator.ts';

/**
 * The default local settings. They enable nothing that requires a choice, such as passkeys and second factors. Links
 * lead to the hosted pages.
 */
const signIn = (name: string) => ({
  password_sign_in: true,
  code_sign_in: true,
  link_sign_in: true,
  sign_up: true,
  mail_sender_name: name,
  hosted_pages: true,
  impersonation: 'notify' as const,
  workspace_roles: true,
});

/** The development addresses to which the clients of a new project may redirect users, also after a sign-out. */
const addresses = {
  redirect_uris: ['http://localhost:5173/callback', 'http://localhost:3000/callback'],
  post_logout_redirect_uris: ['http://localhost:5173/', 'http://localhost:3000/'],
};

export type Credential = {
  project_id: string;
  secret: string;
  /** The confidential client of the project, if its secret is known here. */
  client?: { client_id: string; secret: string };
};

/**
 * Ensures that each requested project has a working secret: the stored one if it still works, otherwise a new one.
 * @param file stores the plain secrets; not stored without it.
 */
export async function seedProjects(
  client: DynamoDBClient,
  ids: readonly string[],
  file: string | undefined,
): Promise<Credential[]> {
  const kept = file === undefined ? {} : await readSecrets(file);
  const credentials: Credential[] = [];
  for (const project_id of ids) {
    const project = await readProject(client, project_id);
    if (project) await turnOn(project);
    const keptSecret = kept[project_id];
    const works =
      keptSecret !== undefined &&
      project?.secrets.some((each) => each.sha256 === sha256(keptSecret));
    const secret = works ? keptSecret : await makeSecret(project_id, project);
    if (!works && file !== undefined) await keepSecret(file, project_id, secret);
    const backend = project ? knownClient(project, kept) : await makeClients(project_id);
    if (!project && backend && file !== undefined)
      await keepSecret(file, backend.client_id, backend.secret);
    credentials.push({ project_id, secret, ...(backend && { client: backend }) });
  }
  return credentials;
}

/**
 * Whether signing keys are published; without one no token can be verified. Data of releases before 0.8.0 has no ES256
 * keys.
 */
export async function hasPublicKey(client: DynamoDBClient): Promise<boolean> {
  const { Count } = await client.send(
    new QueryCommand({
      TableName: tableName,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :es256)',
      ExpressionAttributeValues: {
        ':pk': { S: publicKeys },
        ':es256': { S: keys.publicEs256Key('').sk },
      },
      Limit: 1,
    }),
  );
  return Count === 1;
}

async function makeSecret(project_id: string, project: Project | undefined): Promise<string> {
  const answer = project
    ? await operate({
        action: 'rotate-key',
        project_id,
        keep: Math.min(project.secrets.length, limits.liveSecretsPerProject - 1),
      })
    : await operate({
        action: 'create',
        project_id,
        name: project_id,
        ...signIn(project_id),
      });
  return secretResult.parse(answer).secret;
}

/** A public and a confidential client; returns the one with a secret. */
async function makeClients(project_id: string): Promise<Credential['client']> {
  const client = { action: 'create-client', project_id, ...addresses } as const;
  await operate({ ...client, client: 'web', client_name: 'Web app' });
  const made = { ...client, client: 'backend', client_name: 'Backend', confidential: true };
  const { client_id = '', secret } = secretResult.parse(await operate(made));
  return { client_id, secret };
}

function knownClient(
  { project_id, oauth_clients = [] }: Project,
  kept: Record<string, string>,
): Credential['client'] {
  const client_id = `${project_id}.backend`;
  const secret = kept[client_id];
  const client = oauth_clients.find((each) => each.client_id === client_id);
  const works =
    secret !== undefined && client?.secrets.some((each) => each.sha256 === sha256(secret));
  return works ? { client_id, secret } : undefined;
}

/** Enables sign-in once for projects created before it existed; later changes by the user are kept. */
async function turnOn(project: Project): Promise<void> {
  const { project_id, name } = project;
  const settings = signIn(name);
  const untouched = [
    ...Object.keys(settings),
    'min_password_length',
    'identity_providers',
    'mail_sender',
    'mail_links',
  ].every((setting) => project[setting] === undefined);
  if (untouched) await operate({ action: 'update', project_id, ...settings });
}

async function readProject(client: DynamoDBClient, id: string): Promise<Project | undefined> {
  const { pk, sk } = keys.project(id);
  const Key = { pk: { S: pk }, sk: { S: sk } };
  const { Item } = await client.send(
    new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true }),
  );
  return Item && (unmarshall(Item) as Project);
}
