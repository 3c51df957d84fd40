import { type OperatorRequest, operatorRequest } from '../../shared/operator/request.ts';
import type { Operate } from './access.ts';
import { Refusal } from './problem.ts';

/** What the page may ask the operator function. New secrets are made in a terminal: no page ever shows one. */
const allowed: readonly OperatorRequest['action'][] = [
  'list',
  'create',
  'update',
  'list-secrets',
  'revoke-secret',
];

/** Runs a request of the page with the operator's credentials. The answer has no secret. */
export async function operateFor(operate: Operate, body: string): Promise<unknown> {
  const { data, error } = await operatorRequest.safeParseAsync(parse(body));
  if (error) {
    const [first] = error.issues;
    throw invalid(`${first?.path.join('.') || 'request'}: ${first?.message ?? 'Invalid'}.`);
  }
  if (!allowed.includes(data.action))
    throw new Refusal(403, 'forbidden', `The console does not do ${data.action}.`);
  const run = async (request: OperatorRequest) => {
    try {
      return (await operate(request)) as Record<string, unknown>;
    } catch (failure) {
      throw invalid(failure instanceof Error ? failure.message : String(failure));
    }
  };
  const { secret, ...answer } = await run(data);
  if (secret === undefined) return answer;
  // Nobody will ever see the first secret of a new project, so it must not stay.
  const { project_id, secrets = [] } = answer as {
    project_id: string;
    secrets?: { secret_id: string }[];
  };
  const [first] = secrets;
  return first ? run({ action: 'revoke-secret', project_id, secret_id: first.secret_id }) : answer;
}

const invalid = (why: string) => new Refusal(400, 'invalid_request', why);

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
