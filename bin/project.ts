import { parseArgs } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { type OperatorRequest, operatorRequest } from '../shared/operator/projects.ts';

const usage = `Usage, against a deployed stack or, with --local, the local data:
  npm run project:create -- --name NAME [--project ID] [--invitation-base-url URL] [--create-users-on-get true|false]
  npm run project:list
  npm run project:rotate-key -- --project ID [--keep N]
  npm run project:update -- --project ID [--name NAME] [--invitation-base-url URL] [--create-users-on-get true|false]
each with: --stack NAME (credentials and region as the AWS CLI takes them) | --local [--data FOLDER]`;

const { positionals, values } = readArguments();
const request = readRequest();
const answer = values.local
  ? await (await import('../local/operate.ts')).operateLocally(request, values.data)
  : await operateStack(
      request,
      values.stack ?? fail('Name the stack with --stack, or use --local.'),
    );
process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
if (typeof answer === 'object' && answer !== null && 'secret' in answer)
  process.stderr.write(
    'The secret is shown this once. The Basic credential is project_id:secret.\n',
  );

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        project: { type: 'string' },
        'invitation-base-url': { type: 'string' },
        'create-users-on-get': { type: 'string' },
        keep: { type: 'string' },
        stack: { type: 'string' },
        local: { type: 'boolean', default: false },
        data: { type: 'string', default: '.data' },
      },
    });
  } catch (error) {
    return fail((error as Error).message);
  }
}

function readRequest(): OperatorRequest {
  const onGet = values['create-users-on-get'];
  const given = {
    action: positionals[0],
    name: values.name,
    project_id: values.project,
    invitation_base_url: values['invitation-base-url'],
    create_users_on_get: onGet === 'true' ? true : onGet === 'false' ? false : onGet,
    keep: values.keep === undefined ? undefined : Number(values.keep),
  };
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  const { data, error } = operatorRequest.safeParse(Object.fromEntries(present));
  const problems = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return data ?? fail(problems?.join('\n') ?? '');
}

/** Invokes the stack's operator function: IAM decides whether the caller may. */
async function operateStack(payload: OperatorRequest, StackName: string): Promise<unknown> {
  try {
    const { Stacks } = await new CloudFormationClient().send(
      new DescribeStacksCommand({ StackName }),
    );
    const outputs = Stacks?.[0]?.Outputs ?? [];
    const FunctionName = outputs.find(
      ({ OutputKey }) => OutputKey === 'OperatorFunctionName',
    )?.OutputValue;
    if (!FunctionName) return fail(`The stack ${StackName} has no output OperatorFunctionName.`);
    // A repetition after a lost answer would make another secret and end the one before it.
    const lambda = new LambdaClient({ maxAttempts: 1 });
    const { FunctionError, Payload } = await lambda.send(
      new InvokeCommand({ FunctionName, Payload: Buffer.from(JSON.stringify(payload)) }),
    );
    const result: unknown = JSON.parse(Buffer.from(Payload ?? []).toString('utf8') || 'null');
    if (FunctionError) return fail((result as { errorMessage: string }).errorMessage);
    return result;
  } catch (error) {
    return fail(`${(error as Error).message} Whether it took effect shows npm run project:list.`);
  }
}

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n\n${usage}\n`);
  process.exit(1);
}
