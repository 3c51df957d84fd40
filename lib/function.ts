import { join } from 'node:path';
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import {
  PolicyDocument,
  PolicyStatement,
  type PolicyStatementProps,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as Lambda, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { routes } from '../shared/contract/api.ts';
import type { FunctionName } from '../shared/contract/functions.ts';
import { functionSeconds } from '../shared/contract/route.ts';
import type { EnvironmentName } from '../shared/env.ts';
import type { QueueName } from '../shared/queues/sort.ts';
import { environmentOf } from './environment.ts';
import { lambdaNameOf } from './function-names.ts';
import { type Grant, onPartitions } from './access.ts';
import { grants } from './grants.ts';
import type { MailFeedback } from './mail-feedback.ts';
import type { Schedules } from './schedules.ts';

/** What the functions of a deployment share. */
export type Shared = {
  table: TableV2;
  signingSecret: Secret;
  mailSecret: Secret;
  webhookSecret: Secret;
  /** Carries the events to whoever has a rule on it. */
  bus: EventBus;
  /** Where later invocations wait. */
  schedules: Schedules;
  /** What mails are sent by, so that it is told what comes back. */
  mailFeedback: MailFeedback;
  /** Takes what the functions in the background give up. */
  deadLetters: Queue;
  /** Between the stream and those who follow it. */
  queues: Record<QueueName, Queue>;
  /** The value of every variable; each function gets those that it reads. */
  environment: Record<Exclude<EnvironmentName, 'LOG_LEVEL'>, string | undefined>;
  logRetentionDays: number;
  /** Whether X-Ray traces them. */
  tracing: boolean;
  /** How many of it may run at once, where that is limited. */
  concurrency: { [F in FunctionName]?: number | undefined };
  /** Folder of the bundles. */
  bundles: string;
};

/**
 * MB and seconds. Memory buys CPU in proportion: 1,769 MB is one vCPU. A request computes a millisecond or two and
 * waits for DynamoDB the rest of its time, which costs by the MB; a cold start is all CPU, some 130 ms of a whole
 * one. Less than 1,024 MB makes cold starts slow, more pays for waiting.
 * Who calls over HTTP is answered within the time of the route (shared/contract/route.ts). Nobody waits for the
 * background.
 */
const sizes: { [F in FunctionName]?: { memory: number; timeout: number } } = {
  // Removes the members of whole workspaces; what the time cuts off, the retry takes up.
  'stream.consume': { memory: 512, timeout: 120 },
  // Hands on what it is given.
  'stream.sort': { memory: 512, timeout: 30 },
  // Waits for the mail service, which has moments.
  'mail.send': { memory: 512, timeout: 60 },
  // Waits up to 15 s for each of two attempts to reach a stranger, and redelivers for as long as there is time.
  'mail.recordFeedback': { memory: 512, timeout: 10 },
  'webhooks.deliver': { memory: 512, timeout: 120 },
  // Makes an RSA key pair, or waits 12 s for verifiers to look again.
  'keys.rotate': { memory: 512, timeout: 60 },
  'projects.operate': { memory: 512, timeout: 10 },
};
const sizeOf = (name: FunctionName) =>
  sizes[name] ?? {
    memory: 1024,
    timeout: functionSeconds(routes.find((route) => route.name === name) ?? {}),
  };

/** One function with its own role, which may do exactly what lib/grants.ts says, and its own log group. */
export class ServiceFunction extends Construct {
  readonly lambda: Lambda;

  constructor(scope: Construct, name: FunctionName, shared: Shared) {
    super(scope, name);
    const { memory, timeout } = sizeOf(name);
    const concurrency = shared.concurrency[name];
    const logGroup = new LogGroup(this, 'Logs', {
      retention: shared.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const statements = [
      allow('logs', ['CreateLogStream', 'PutLogEvents'], logGroup.logGroupArn),
      ...(shared.tracing ? [allow('xray', ['PutTraceSegments', 'PutTelemetryRecords'], '*')] : []),
      ...statementsOf(grants[name], shared),
    ];
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `${name} of the identity and workspace service`,
      // Within the role, for a policy beside it would be one resource more a function.
      inlinePolicies: { Grant: new PolicyDocument({ statements }) },
    });
    this.lambda = new Lambda(this, 'Function', {
      functionName: lambdaNameOf(Stack.of(this).stackName, name),
      description: name,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(join(shared.bundles, name)),
      handler: 'index.handler',
      memorySize: memory,
      timeout: Duration.seconds(timeout),
      // Nothing adds to it what is not granted above.
      role: role.withoutPolicyUpdates(),
      logGroup,
      tracing: shared.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      ...(concurrency !== undefined && { reservedConcurrentExecutions: concurrency }),
      ...(grants[name].asynchronous && { deadLetterQueue: shared.deadLetters }),
      environment: Object.fromEntries(
        environmentOf(name).flatMap((key) => {
          const value = shared.environment[key as keyof Shared['environment']];
          return value === undefined ? [] : [[key, value]];
        }),
      ),
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray knows no resources: PutTraceSegments and PutTelemetryRecords take only "*".',
    });
    if (grants[name].schedule)
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule/${shared.schedules.group}/*]`,
        reason:
          'Each schedule has a name of its own, by what is to be done; the group is ours alone.',
      });
    if (grants[name].sendMail)
      Validations.of(role).acknowledge({
        id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*]',
        reason: 'Projects have senders of their own, which the stack does not know.',
      });
  }
}

/** A grant as IAM statements, each action on exactly the resource that it concerns. */
function statementsOf(grant: Grant, shared: Shared): PolicyStatement[] {
  const {
    indexes = [],
    signingSecret,
    mailSecret,
    webhookSecret,
    sendMail,
    stream,
    takes,
    publish,
    schedule,
    asynchronous,
  } = grant;
  const { table, deadLetters, queues, schedules } = shared;
  return [
    ...onPartitions(grant).map(({ actions, patterns }) =>
      allow('dynamodb', actions, table.tableArn, onlyPartitions(patterns)),
    ),
    ...indexes.map((index) => allow('dynamodb', ['Query'], `${table.tableArn}/index/${index}`)),
    ...(stream && table.tableStreamArn
      ? [
          allow('dynamodb', streamActions, table.tableStreamArn),
          allow('sqs', ['SendMessage'], deadLetters.queueArn),
          ...Object.values(queues).map(({ queueArn }) => allow('sqs', ['SendMessage'], queueArn)),
        ]
      : []),
    ...(takes ? [allow('sqs', queueActions, queues[takes].queueArn)] : []),
    ...(signingSecret
      ? [allow('secretsmanager', secretActions[signingSecret], shared.signingSecret.secretArn)]
      : []),
    ...(mailSecret
      ? [allow('secretsmanager', secretActions[mailSecret], shared.mailSecret.secretArn)]
      : []),
    ...(webhookSecret
      ? [allow('secretsmanager', secretActions[webhookSecret], shared.webhookSecret.secretArn)]
      : []),
    ...(sendMail
      ? [
          allow('ses', ['SendEmail'], identities(table)),
          allow('ses', ['SendEmail'], shared.mailFeedback.arn),
        ]
      : []),
    ...(schedule
      ? [
          allow('scheduler', ['CreateSchedule'], schedules.all),
          allow('iam', ['PassRole'], schedules.role.roleArn, onlyToScheduler),
        ]
      : []),
    ...(asynchronous ? [allow('sqs', ['SendMessage'], deadLetters.queueArn)] : []),
    ...(publish ? [allow('events', ['PutEvents'], shared.bus.eventBusArn)] : []),
  ];
}

const streamActions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
/** Lambda takes and deletes in the name of the function, which says when what failed is to come again. */
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

/** Else whoever may pass the role could have another service act as it. */
const onlyToScheduler = {
  StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' },
};

/** `ForAllValues` alone would be true of a request that named no key at all. */
const onlyPartitions = (patterns: readonly string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});

/** The identities that mail may come from: addresses and domains that the account has proven to SES. */
function identities(scope: Construct): string {
  return Stack.of(scope).formatArn({ service: 'ses', resource: 'identity', resourceName: '*' });
}

function allow(
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
