import { DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { callOperator } from '../../shared/operator/project-pages.ts';
import type { OperatorRequest } from '../../shared/operator/request.ts';
import { openCloudFormation } from '../cloudformation.ts';
import { CommandFailure, sentenceOf } from '../flags.ts';

/** Invokes the stack's operator function: IAM decides whether the caller may. */
export async function operateStack(request: OperatorRequest, stack: string): Promise<unknown> {
  const FunctionName = await outputOf(stack, 'OperatorFunctionName');
  return callOperator(request, (each) => invoke(each, FunctionName));
}

async function invoke(request: OperatorRequest, FunctionName: string): Promise<unknown> {
  // No retry: after a lost response it would create another secret and end the one before it.
  const lambda = new LambdaClient({ maxAttempts: 1 });
  const doubt = request.action.startsWith('list')
    ? ''
    : ' Run npm run project:list to see whether it took effect.';
  const Payload = Buffer.from(JSON.stringify(request));
  const invocation = await lambda
    .send(new InvokeCommand({ FunctionName, Payload }))
    .catch((error: unknown) => {
      // A request that Lambda rejected has not reached the function.
      const refused = (error as { $fault?: string }).$fault === 'client';
      throw new CommandFailure(`${sentenceOf(error)}${refused ? '' : doubt}`);
    });
  const text = Buffer.from(invocation.Payload ?? []).toString('utf8');
  const result: unknown = JSON.parse(text || 'null');
  if (!invocation.FunctionError) return result;
  const { errorType, errorMessage = 'The operator function failed.' } = (result ?? {}) as {
    errorType?: string;
    errorMessage?: string;
  };
  // A plain Error is a message of the function to the operator; any other type is a failure in transit.
  throw new CommandFailure(`${errorMessage}${errorType === 'Error' ? '' : doubt}`);
}

/** Reads an output of a stack. Throws a `CommandFailure` if it has none of that name, or no region is set. */
export async function outputOf(StackName: string, name: string): Promise<string> {
  const cloudformation = await openCloudFormation();
  const { Stacks } = await cloudformation.send(new DescribeStacksCommand({ StackName }));
  const outputs = Stacks?.[0]?.Outputs ?? [];
  const output = outputs.find(({ OutputKey }) => OutputKey === name);
  if (output?.OutputValue) return output.OutputValue;
  throw new CommandFailure(`The stack ${StackName} has no output ${name}.`);
}
