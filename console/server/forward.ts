import type { RunSecrets } from '../../bin/transfer/run-secrets.ts';
import type { Operation } from '../../shared/contract/api.ts';
import { projectId } from '../../shared/model/fields.ts';
import { messageOf } from '../../shared/model/message-of.ts';
import type { Answer, ConsoleRequest } from './answer.ts';
import { operationOf, refusalOf } from './operations.ts';
import { notFound, Refusal } from './problem.ts';

/** What the page may say to the service, beside its body. */
const forwardedHeaders = ['content-type', 'if-match', 'idempotency-key'] as const;
/** What the page is told of an answer. */
const returnedHeaders = ['content-type', 'etag', 'link', 'retry-after', 'x-request-id'];
/** Milliseconds; an import of many invitations takes 20 s. */
const patience = 30_000;

/** Sends a request to the service in the name of a project, whose secret the page never has. */
export async function forward(
  request: ConsoleRequest,
  project_id: string,
  path: string,
  { service, secrets }: { service: string; secrets: RunSecrets },
): Promise<Answer> {
  const operation = operationOf(request.method, path);
  if (!operation || !projectId.safeParse(project_id).success) throw notFound();
  const refusal = refusalOf(operation, request.body);
  if (refusal !== undefined) throw new Refusal(403, 'forbidden', refusal);
  const url = `${service}${path}${request.query}`;
  return inNameOf(project_id, { service, secrets }, (authorization) =>
    ask(request, operation, url, authorization),
  );
}

/** Sends a request with the secret of a project, and once again with a new one if that has been revoked. */
export async function inNameOf<T extends { status: number }>(
  project_id: string,
  { service, secrets }: { service: string; secrets: RunSecrets },
  send: (authorization: string) => Promise<T>,
): Promise<T> {
  for (const isLast of [false, true]) {
    const authorization = await authorize(secrets, project_id);
    const answer = await send(authorization);
    if (answer.status !== 401) return answer;
    if (!isLast) secrets.forget(project_id, authorization);
  }
  // The page would take a 401 for an answer to itself.
  const refusal = new Refusal(
    502,
    'internal_error',
    `${service} does not know the secret that was just made: it is not the service of these data.`,
  );
  secrets.refuse(project_id, refusal);
  throw refusal;
}

/** The Authorization header of a project; a failure is a sentence for the operator. */
async function authorize(secrets: RunSecrets, project_id: string): Promise<string> {
  try {
    return await secrets.authorization(project_id);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const why = messageOf(error);
    throw new Refusal(/does not exist/.test(why) ? 404 : 409, 'not_found', why);
  }
}

async function ask(
  { method, headers, body }: ConsoleRequest,
  operation: Operation,
  url: string,
  authorization: string,
): Promise<Answer> {
  const requestEntries = forwardedHeaders.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value]];
  });
  try {
    const response = await fetch(url, {
      method,
      headers: { ...Object.fromEntries(requestEntries), authorization },
      ...(body !== '' && { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(patience),
    });
    const responseEntries = returnedHeaders.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    return {
      status: response.status,
      headers: Object.fromEntries(responseEntries) as Record<string, string>,
      body: await response.text(),
    };
  } catch (error) {
    throw unreachable(url, operation, error);
  }
}

/** The service has not answered. 502, which the page tries again where that is safe. */
export function unreachable(url: string, subject: string, error: unknown): Refusal {
  const { cause, message } = error as Error;
  const why = cause instanceof Error && cause.message !== '' ? cause.message : message;
  const { origin } = new URL(url);
  return new Refusal(
    502,
    'temporarily_unavailable',
    `${origin} did not answer ${subject}: ${why || 'no connection'}.`,
  );
}
