import type * as z from 'zod';
import { inWords } from '../../bin/issue-words.ts';
import type { Operate, RunSecrets } from '../../bin/transfer/run-secrets.ts';
import { type OperatorRequest, operatorRequest } from '../../shared/operator/request.ts';
import { labelOf } from '../views/settings-fields.ts';
import { Refusal } from './problem.ts';

/** What the page may ask the operator function. New secrets are made in a terminal: no page ever shows one. */
const allowed: readonly OperatorRequest['action'][] = [
  'list',
  'create',
  'update',
  'list-secrets',
  'revoke-secret',
];

/**
 * Runs a request of the page with the operator's credentials. The answer has no secret; it has a `warning` if that of a
 * new project is not revoked yet.
 */
export async function operateFor(
  { operate, secrets }: { operate: Operate; secrets: RunSecrets },
  body: string,
): Promise<unknown> {
  const { data, error } = await operatorRequest.safeParseAsync(parse(body), { reportInput: true });
  if (error) throw invalid(error.issues.flatMap(sentencesOf).join(' '));
  if (!allowed.includes(data.action))
    throw new Refusal(403, 'forbidden', `The console does not do ${data.action}.`);
  try {
    return await secrets.untilClosed(() => run(data, operate, secrets));
  } catch (failure) {
    throw invalid(failure instanceof Error ? failure.message : String(failure));
  }
}

type Answered = { secret?: string; project_id: string; secrets?: { secret_id: string }[] };

async function run(
  request: OperatorRequest,
  operate: Operate,
  secrets: RunSecrets,
): Promise<object> {
  const { secret, ...answer } = (await operate(request)) as Answered;
  if (secret === undefined) return answer;
  // Nobody will ever see the first secret of a new project, so it must not stay.
  const [first, ...others] = answer.secrets ?? [];
  if (!first) return answer;
  const warning = await secrets.revokeUnseen(answer.project_id, first.secret_id);
  // The project is there all the same: an error would have the operator create another one.
  return warning === undefined ? { ...answer, secrets: others } : { ...answer, warning };
}

/** What is wrong with a request, with the names that the page shows. */
function sentencesOf(issue: z.core.$ZodIssue): string[] {
  const [name, ...within] = issue.path.map(String);
  if (name === undefined)
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${labelOf(key)} is not allowed.`)
      : ['The request must be an object.'];
  if (name === 'action') return ['The request has no action that there is.'];
  const subject = within.length > 0 ? `${labelOf(name)}: ${within.join('.')}` : labelOf(name);
  return [`${subject} ${inWords(issue)}.`];
}

const invalid = (why: string) => new Refusal(400, 'invalid_request', why);

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
