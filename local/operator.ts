import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { callOperator } from '../shared/operator/project-pages.ts';
import { makesLimitedSecret, type OperatorRequest } from '../shared/operator/request.ts';
import { invoke } from './aws/lambda.ts';
import { engineInUse, openData } from './engine/data.ts';
import { ensureTable } from './engine/table.ts';
import { setEnvironment, tableName } from './environment.ts';
import { readJson, writeJson } from './file.ts';
import { fromSource } from './load.ts';

/**
 * Runs an operator request on the data in a folder, with the engine of the server that uses it or with its own. A new
 * secret is stored, so that `npm start` can print it. More than once per process only with the engine of one server,
 * because the SDK client keeps the first endpoint.
 */
export async function operateLocally(request: OperatorRequest, folder: string): Promise<unknown> {
  logNothing();
  const inUse = await engineInUse(folder);
  const file = `${folder}/${projectsFile}`;
  if (inUse !== undefined) return operateAt(inUse, request, file);
  const data = await openData(folder);
  try {
    return await operateAt(data.engine.endpoint, request, file);
  } finally {
    await data.close();
  }
}

/**
 * Runs operator requests on the data of the server that uses a folder, and stores no secret. Undefined if there is no
 * server.
 */
export async function operatorOf(
  folder: string,
): Promise<((request: OperatorRequest) => Promise<unknown>) | undefined> {
  logNothing();
  const endpoint = await engineInUse(folder);
  if (endpoint === undefined) return undefined;
  setEnvironment({ dynamodb: endpoint });
  return operate;
}

/** A command shows its result; a log line beside it would be in the way. */
function logNothing(): void {
  process.env['LOG_LEVEL'] ??= 'silent';
}

async function operateAt(endpoint: string, request: OperatorRequest, file: string) {
  setEnvironment({ dynamodb: endpoint });
  const client = new DynamoDBClient({ endpoint });
  await ensureTable(client, tableName);
  client.destroy();
  const answer = await operate(request);
  const { data } = secretResult.safeParse(answer);
  // A later `npm start` would print a secret that has expired or lacks the scopes for the examples.
  if (data && !makesLimitedSecret(request))
    await keepSecret(file, data.client_id ?? data.project_id, data.secret);
  return answer;
}

/** Invokes the operator's function. The environment must be set. */
export async function operate(request: OperatorRequest): Promise<unknown> {
  const handler = await fromSource('projects.admin');
  return callOperator(request, (each) => invoke('projects.admin', handler, each));
}

/** The file with the plain secrets of the local projects and their clients; only this server stores it. */
export const projectsFile = 'projects.json';
const keptSecrets = z.record(z.string(), z.string());

/** The fields of a result that contains a new secret, of a project or of one of its clients. */
export const secretResult = z.object({
  project_id: z.string(),
  client_id: z.string().optional(),
  secret: z.string(),
});

export async function readSecrets(file: string): Promise<Record<string, string>> {
  return (await readJson(file, keptSecrets)) ?? {};
}

/** @param id of a project, or a client_id, which contains a dot; project ids contain none. */
export async function keepSecret(file: string, id: string, secret: string): Promise<void> {
  await writeJson(file, { ...(await readSecrets(file)), [id]: secret });
}
