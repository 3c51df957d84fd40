import type { Context } from 'aws-lambda';
import { runInRequest } from '#shared/db/request-context.ts';
import { log } from '#shared/http/log.ts';
import {
  countHashKinds,
  dropHashKinds,
  retireHashKinds,
} from '#shared/identity/passwords/drop-hash-kinds.ts';
import { exportPasswordHashes } from '#shared/identity/passwords/export-password-hashes.ts';
import { operate } from '#shared/operator/projects.ts';
import {
  type HashRequest,
  hashActions,
  type OperatorRequest,
  readOperatorRequest,
} from '#shared/operator/request.ts';
import { requireProject } from '#shared/operator/secrets.ts';

const reserve = 1_000;

/**
 * The operator's function. It has no route; only IAM controls who may invoke it. Throws an Error whose message names
 * all invalid fields, and which the invocation returns. The log has each act, because nothing else does: CloudTrail
 * records invocations only if the account's operator has it do so.
 */
export async function handler(event: unknown, lambda: Context) {
  const { awsRequestId: request_id } = lambda;
  const time = lambda.getRemainingTimeInMillis();
  const line = () => ({
    ...{ operation: 'projects.admin', request_id },
    duration_ms: time - lambda.getRemainingTimeInMillis(),
  });
  const request = await readOperatorRequest(event).catch((error: unknown) => {
    // Without the error, which may name what was sent.
    log({ level: 'error', ...line(), action: 'unreadable' });
    throw error;
  });
  const { action, project_id } = request as { action: string; project_id?: string };
  const act = { action, project_id };
  return runInRequest(request_id, time - reserve, async () => {
    try {
      const result = await perform(request);
      log({ level: 'info', ...line(), ...act, ...projectOf(result) });
      return result;
    } catch (cause) {
      log({ level: 'error', ...line(), ...act, cause });
      throw cause;
    }
  });
}

/** A new project gets its id only here, if the operator names none. */
const projectOf = (result: object) =>
  'project_id' in result ? { project_id: String(result.project_id) } : {};

async function perform(request: OperatorRequest): Promise<object> {
  if (!isAboutHashes(request)) return operate(request);
  await requireProject(request.project_id);
  return operateHashes(request);
}

const isAboutHashes = (request: OperatorRequest): request is HashRequest =>
  hashActions.some((action) => action === request.action);

function operateHashes(request: HashRequest): Promise<object> {
  const { project_id } = request;
  switch (request.action) {
    case 'export-password-hashes':
      return exportPasswordHashes(project_id, request.uids);
    case 'retire-hash-kinds':
      return retireHashKinds(project_id);
    case 'count-hash-kinds':
      return countHashKinds(project_id, request.uids);
    case 'drop-hash-kinds':
      return dropHashKinds(project_id, request.ids);
  }
}
