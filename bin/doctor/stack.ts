import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import type { Config } from '../../lib/config.ts';
import { domainOf } from '../../lib/functions.ts';
import type { FunctionName } from '../../shared/contract/functions.ts';
import { CommandFailure, messageOf } from '../flags.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

/** A stack as CloudFormation describes it. */
export type Stack = {
  name: string;
  /** Such as `CREATE_COMPLETE`; undefined: there is no such stack. */
  status: string | undefined;
  protected: boolean;
  outputs: Record<string, string>;
  resources: { type: string; id: string; name: string }[];
};

/** Reads a stack, and its resources where it is deployed. Throws a `CommandFailure` where no region is set. */
export async function readStack(name: string): Promise<Stack> {
  const client = new CloudFormationClient();
  await client.config.region().catch((error: unknown) => {
    if (!/missing/i.test(messageOf(error))) throw error;
    throw new CommandFailure('No AWS region: set AWS_REGION or a profile.');
  });
  const found = await client.send(new DescribeStacksCommand({ StackName: name })).then(
    ({ Stacks }) => Stacks?.[0],
    (error: unknown) => {
      if (/does not exist/.test(messageOf(error))) return undefined;
      throw error;
    },
  );
  const stack: Stack = {
    name,
    status: found?.StackStatus,
    protected: found?.EnableTerminationProtection ?? false,
    outputs: Object.fromEntries(
      found?.Outputs?.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]) ?? [],
    ),
    resources: [],
  };
  if (!isDeployed(stack)) return stack;
  for await (const page of paginateListStackResources({ client }, { StackName: name })) {
    for (const each of page.StackResourceSummaries ?? []) {
      const { ResourceType = '', LogicalResourceId = '', PhysicalResourceId = '' } = each;
      stack.resources.push({
        type: ResourceType,
        id: LogicalResourceId,
        name: PhysicalResourceId,
      });
    }
  }
  return stack;
}

/** Whether the service runs: its creation succeeded once. */
export const isDeployed = ({ status = 'REVIEW_IN_PROGRESS' }: Stack): boolean =>
  !/^(?:REVIEW_|CREATE_IN|CREATE_FAILED|ROLLBACK_|DELETE_)/.test(status);

/** The name that AWS gave to a resource of the stack. Throws where there is none. */
export function resourceOf(stack: Stack, type: string, id: RegExp): string {
  const found = stack.resources.find((each) => each.type === type && id.test(each.id));
  if (found) return found.name;
  throw new Error(`The stack has no ${type} like ${id.source}; is it older than this version?`);
}

/** The AWS name of a function of ours, such as `users.create`. */
export const functionOf = (stack: Stack, name: string): string =>
  resourceOf(stack, 'AWS::Lambda::Function', new RegExp(`^${name.replace('.', '')}Function`));

/** The command that shows what a function wrote. The functions of a domain share a log group; a line names its operation. */
export function logCommandOf(stack: Stack, name: FunctionName): string {
  const log = resourceOf(stack, 'AWS::Logs::LogGroup', new RegExp(`^${domainOf(name)}Logs`));
  return `aws logs tail ${log} --since 10m --filter-pattern '{ $.operation = "${name}" }'`;
}

export const deployCommand = (stage: string): string =>
  `npx cdk deploy${stage === 'dev' ? '' : ` -c stage=${stage}`}`;

/** Whether the last deployment succeeded, and what to do where none can. */
export function checkState(stack: Stack, { stage }: Config): Finding {
  const { name, status } = stack;
  const events = `aws cloudformation describe-stack-events --stack-name ${name} --query 'StackEvents[?contains(ResourceStatus, \`FAILED\`)].[LogicalResourceId,ResourceStatusReason]'`;
  if (status === undefined || status === 'REVIEW_IN_PROGRESS')
    return note('deployment', `There is no stack ${name} yet.`, deployCommand(stage));
  if (/^(?:CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status))
    return ok('deployment', `${name} is ${status}.`);
  if (status.endsWith('_IN_PROGRESS'))
    return wrong('deployment', `${name} is ${status}: run this again when it has ended.`);
  if (isDeployed(stack))
    return wrong(
      'deployment',
      `The last deployment failed (${status}): the version before it runs.`,
      events,
      deployCommand(stage),
    );
  return wrong(
    'deployment',
    `The first deployment failed (${status}).`,
    events,
    ...(stack.protected
      ? [
          `aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${name}`,
        ]
      : []),
    deployCommand(stage),
  );
}

/** Whether stack and table are protected from deletion, and the first deployment from being in its own way. */
export function checkProtection(stack: Stack, { stage, deletionProtection }: Config): Finding {
  const check = 'protection';
  const set = (to: boolean) => `"deletionProtection": ${to} in config/${stage}.json`;
  if (!isDeployed(stack))
    return deletionProtection
      ? wrong(
          check,
          'If the first deployment fails, nothing can clean up after it.',
          `Set ${set(false)} until it has succeeded.`,
        )
      : ok(check, 'A first deployment that fails is cleaned up.');
  if (deletionProtection !== stack.protected)
    return wrong(
      check,
      `The stack is not as ${set(deletionProtection)} says.`,
      deployCommand(stage),
    );
  if (deletionProtection) return ok(check, 'Neither stack nor table can be deleted.');
  return stage === 'dev'
    ? ok(check, 'The stack can be deleted, as one for development may.')
    : wrong(check, 'Stack and table can be deleted.', `Set ${set(true)}.`, deployCommand(stage));
}
