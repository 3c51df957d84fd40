import { DescribeStacksCommand, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Config } from '../../lib/config.ts';
import { domainOf } from '../../lib/functions.ts';
import type { FunctionName } from '../../shared/contract/functions.ts';
import { messageOf } from '../../shared/model/message-of.ts';
import { openCloudFormation } from '../cloudformation.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

/** A stack, from CloudFormation's description. */
export type Stack = {
  name: string;
  /** Such as `CREATE_COMPLETE`; undefined if the stack does not exist. */
  status: string | undefined;
  protected: boolean;
  outputs: Record<string, string>;
  resources: { type: string; id: string; name: string }[];
};

/** Reads a stack and, if it is deployed, its resources. Throws a `CommandFailure` if no region is set. */
export async function readStack(name: string): Promise<Stack> {
  const client = await openCloudFormation();
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

/** Whether the service runs: the stack was created successfully once. */
export const isDeployed = ({ status = 'REVIEW_IN_PROGRESS' }: Stack): boolean =>
  !/^(?:REVIEW_|CREATE_IN|CREATE_FAILED|ROLLBACK_|DELETE_)/.test(status);

/** The physical name of a resource of the stack. Throws if there is none. */
export function resourceOf(stack: Stack, type: string, id: RegExp): string {
  const found = stack.resources.find((each) => each.type === type && id.test(each.id));
  if (found) return found.name;
  throw new Error(`The stack has no ${type} like ${id.source}; is it older than this version?`);
}

/** The Lambda name of one of our functions, such as `users.create`. */
export const functionOf = (stack: Stack, name: string): string =>
  resourceOf(stack, 'AWS::Lambda::Function', new RegExp(`^${name.replace('.', '')}Function`));

/**
 * The command that shows the logs of a function. The functions of a domain share a log group; each line has its
 * operation.
 */
export function logCommandOf(stack: Stack, name: FunctionName): string {
  const log = resourceOf(stack, 'AWS::Logs::LogGroup', new RegExp(`^${domainOf(name)}Logs`));
  return `aws logs tail ${log} --since 10m --filter-pattern '{ $.operation = "${name}" }'`;
}

export const deployCommand = (stage: string): string => `npx cdk deploy${ofStage(stage)}`;
/** CloudFormation takes no deployment before it. */
const rollbackCommand = (stage: string): string => `npx cdk rollback${ofStage(stage)}`;
const ofStage = (stage: string): string => (stage === 'dev' ? '' : ` -c stage=${stage}`);

/** Checks that the last deployment succeeded, and shows how to recover if it did not. */
export function checkState(stack: Stack, { stage }: Config): Finding {
  const { name, status } = stack;
  const events = `aws cloudformation describe-stack-events --stack-name ${name} --query 'StackEvents[?contains(ResourceStatus, \`FAILED\`)].[LogicalResourceId,ResourceStatusReason]'`;
  if (status === undefined || status === 'REVIEW_IN_PROGRESS')
    return note('deployment', `There is no stack ${name} yet.`, deployCommand(stage));
  if (/^(?:CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status))
    return ok('deployment', `${name} is ${status}.`);
  if (status.endsWith('_IN_PROGRESS'))
    return wrong('deployment', `${name} is ${status}: run this again when it has finished.`);
  if (status === 'UPDATE_ROLLBACK_FAILED')
    return wrong(
      'deployment',
      `The last deployment and its rollback failed (${status}): functions of both versions may run.`,
      events,
      rollbackCommand(stage),
      deployCommand(stage),
    );
  if (isDeployed(stack))
    return wrong(
      'deployment',
      `The last deployment failed (${status}): the previous version is running.`,
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

/**
 * Checks that stack and table are protected from deletion, and that the protection does not block the cleanup of a
 * failed first deployment. A table that was restored and imported has no protection, whatever its template says.
 */
export async function checkProtection(
  stack: Stack,
  { stage, deletionProtection }: Config,
): Promise<Finding> {
  const check = 'protection';
  const set = (to: boolean) => `"deletionProtection": ${to} in config/${stage}.json`;
  if (!isDeployed(stack))
    return deletionProtection
      ? wrong(
          check,
          'If the first deployment fails, it cannot be cleaned up.',
          `Set ${set(false)} until the first deployment has succeeded.`,
        )
      : ok(check, 'A failed first deployment can be cleaned up.');
  if (deletionProtection !== stack.protected)
    return wrong(
      check,
      `The stack does not match ${set(deletionProtection)}.`,
      deployCommand(stage),
    );
  if (!deletionProtection)
    return stage === 'dev'
      ? ok(check, 'The stack can be deleted, which is fine for development.')
      : wrong(check, 'Stack and table can be deleted.', `Set ${set(true)}.`, deployCommand(stage));
  const TableName = stack.outputs['TableName'];
  const { Table } = await new DynamoDBClient().send(new DescribeTableCommand({ TableName }));
  if (Table?.DeletionProtectionEnabled)
    return ok(check, 'Stack and table are protected from deletion.');
  return wrong(
    check,
    `The table ${TableName} can be deleted: a restore does not bring its protection back.`,
    `aws dynamodb update-table --deletion-protection-enabled --table-name ${TableName}`,
  );
}
