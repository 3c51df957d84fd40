import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { providerSecretsPrefix } from '../shared/model/provider-secret.ts';
import type { Bus } from './bus.ts';
import { type Grant, onPartitions, secretsOf } from './grant.ts';
import type { MailFeedback } from './mail-feedback.ts';
import type { Schedules } from './schedules.ts';
import type { Secrets } from './secrets.ts';
import type { StreamSources } from './stream-sources.ts';

/** Resources that functions may be granted access to. */
export type Granted = {
  table: TableV2;
  secrets: Secrets;
  /** The stream, the queues behind it, and the dead letters. */
  stream: StreamSources;
  bus: Bus;
  schedules: Schedules;
  mailFeedback: MailFeedback;
};

/** Converts a grant to IAM statements, each action on exactly its resources. */
export function statementsOf(grant: Grant, props: Granted): PolicyStatement[] {
  const { indexes = [], sendMail, stream, takes, sends, publish, schedule, asynchronous } = grant;
  const { table, stream: streams, schedules } = props;
  const { deadLetters, queues } = streams;
  return [
    ...onPartitions(grant).map(({ actions, patterns }) =>
      statement('dynamodb', actions, table.tableArn, onlyPartitions(patterns)),
    ),
    ...indexes.map((index) => statement('dynamodb', ['Query'], `${table.tableArn}/index/${index}`)),
    ...(stream && table.tableStreamArn
      ? [
          statement('dynamodb', streamActions, table.tableStreamArn),
          ...Object.values(queues).map(({ queueArn }) =>
            statement('sqs', ['SendMessage'], queueArn),
          ),
        ]
      : []),
    ...(takes ? [statement('sqs', queueActions, queues[takes].queueArn)] : []),
    ...(sends ? [statement('sqs', ['SendMessage'], queues[sends].queueArn)] : []),
    ...secretsOf(grant).map(([name, use]) =>
      statement(
        'secretsmanager',
        secretActions[use],
        name === 'providers' ? providerSecretsArn(table) : props.secrets[name].secretArn,
      ),
    ),
    ...(sendMail
      ? [
          statement('ses', ['SendEmail'], identities(table)),
          statement('ses', ['SendEmail'], props.mailFeedback.arn),
        ]
      : []),
    ...(schedule
      ? [
          statement('scheduler', ['CreateSchedule'], schedules.all),
          statement('iam', ['PassRole'], schedules.role.roleArn, onlyToScheduler),
        ]
      : []),
    ...(asynchronous || grant.setsAside
      ? [statement('sqs', ['SendMessage'], deadLetters.queueArn)]
      : []),
    ...(publish ? [statement('events', ['PutEvents'], props.bus.eventBus.eventBusArn)] : []),
  ];
}

const streamActions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
/**
 * Lambda receives and deletes messages with the function's role, and the function sets when a failed message returns.
 */
const queueActions = [
  'ChangeMessageVisibility',
  'DeleteMessage',
  'GetQueueAttributes',
  'ReceiveMessage',
];
const secretActions = {
  read: ['GetSecretValue'],
  rotate: ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'],
};

/** Without this condition, a function that may pass the role could let another service assume it. */
const onlyToScheduler = {
  StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' },
};

/** `ForAllValues` alone is also true for a request without any key. */
const onlyPartitions = (patterns: readonly string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});

/** The secrets of all projects at identity providers: the operator sets them, so the stack knows none by name. */
function providerSecretsArn(scope: Construct): string {
  const stack = Stack.of(scope);
  return stack.formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${providerSecretsPrefix(stack.stackName)}/*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}

/** The SES identities that may send mail: verified addresses and domains of the account. */
function identities(scope: Construct): string {
  return Stack.of(scope).formatArn({ service: 'ses', resource: 'identity', resourceName: '*' });
}

export function statement(
  service: string,
  actions: readonly string[],
  resource: string,
  conditions?: PolicyStatementProps['conditions'],
): PolicyStatement {
  return new PolicyStatement({
    actions: actions.map((action) => `${service}:${action}`),
    resources: [resource],
    ...(conditions && { conditions }),
  });
}
