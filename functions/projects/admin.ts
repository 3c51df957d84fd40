import type { Context } from 'aws-lambda';
import { runInRequest } from '#shared/db/request-context.ts';
import { exportPasswordHashes } from '#shared/identity/export-password-hashes.ts';
import { operate } from '#shared/operator/projects.ts';
import { readOperatorRequest } from '#shared/operator/request.ts';
import { requireProject } from '#shared/operator/secrets.ts';

const reserve = 1_000;

/**
 * The operator's function. It has no route; only IAM controls who may invoke it. Throws an Error whose message names
 * all invalid fields, and which the invocation returns.
 */
export async function handler(event: unknown, lambda: Context) {
  const request = await readOperatorRequest(event);
  return runInRequest(
    lambda.awsRequestId,
    lambda.getRemainingTimeInMillis() - reserve,
    async () => {
      if (request.action !== 'export-password-hashes') return operate(request);
      const { project_id, uids } = request;
      await requireProject(project_id);
      return exportPasswordHashes(project_id, uids);
    },
  );
}
