import { join } from 'node:path';
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as Lambda, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { FunctionName } from '../shared/contract/functions.ts';
import type { EnvironmentName } from '../shared/env.ts';
import { environmentOf } from './environment.ts';
import { type Grant, grants } from './grants.ts';

/** What the functions of a deployment share. */
export type Shared = {
  table: TableV2;
  signingSecret: Secret;
  /** The value of every variable; each function gets those that it reads. */
  environment: Record<Exclude<EnvironmentName, 'LOG_LEVEL'>, string>;
  logRetentionDays: number;
  /** Folder of the bundles. */
  bundles: string;
};

/**
 * MB and seconds. Memory buys CPU in proportion: 1,769 MB is one vCPU. A request waits for DynamoDB most of its
 * time, which costs by the MB, and computes a millisecond or two; 1,024 MB keeps a cold start, which is all CPU,
 * under about half a second without paying a whole vCPU to wait.
 * Who calls over HTTP gets an answer after at most 2.5 s (shared/http/endpoint.ts) while half a second is kept back;
 * 4 s is reached only by a fault. The background works in bulk, and nobody waits for it.
 */
const sizes: { [F in FunctionName]?: { memory: number; timeout: number } } = {
  // Removes the members of a whole workspace, 25 a call; what the time cuts off is taken up by the retry.
  'stream.consume': { memory: 512, timeout: 300 },
  // Makes an RSA key pair, at times for seconds, four steps each with their own invocation.
  'keys.rotate': { memory: 512, timeout: 60 },
  'projects.operate': { memory: 512, timeout: 10 },
};
const endpointSize = { memory: 1024, timeout: 4 };

/** One function with its own role, which may do exactly what lib/grants.ts says, and its own log group. */
export class ServiceFunction extends Construct {
  readonly lambda: Lambda;
  readonly role: Role;

  constructor(scope: Construct, name: FunctionName, shared: Shared) {
    super(scope, name);
    const { memory, timeout } = sizes[name] ?? endpointSize;
    const logGroup = new LogGroup(this, 'Logs', {
      retention: shared.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `${name} of the identity and workspace service`,
    });
    this.role.addToPolicy(allow('logs', ['CreateLogStream', 'PutLogEvents'], logGroup.logGroupArn));
    for (const statement of statementsOf(grants[name], shared)) this.role.addToPolicy(statement);
    this.lambda = new Lambda(this, 'Function', {
      description: name,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(join(shared.bundles, name)),
      handler: 'index.handler',
      memorySize: memory,
      timeout: Duration.seconds(timeout),
      role: this.role,
      logGroup,
      tracing: Tracing.ACTIVE,
      environment: Object.fromEntries(
        environmentOf(name).map((key) => [
          key,
          shared.environment[key as keyof Shared['environment']],
        ]),
      ),
    });
    Validations.of(this.role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray knows no resources: PutTraceSegments and PutTelemetryRecords take only "*".',
    });
  }
}

/** A grant as IAM statements, each action on exactly the resource that it concerns. */
function statementsOf(grant: Grant, { table, signingSecret }: Shared): PolicyStatement[] {
  const { table: actions, indexes = [], stream, signingSecret: use } = grant;
  return [
    ...(actions.length > 0 ? [allow('dynamodb', actions, table.tableArn)] : []),
    ...indexes.map((index) => allow('dynamodb', ['Query'], `${table.tableArn}/index/${index}`)),
    ...(stream && table.tableStreamArn
      ? [allow('dynamodb', streamActions, table.tableStreamArn)]
      : []),
    ...(use ? [allow('secretsmanager', secretActions[use], signingSecret.secretArn)] : []),
  ];
}

const streamActions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
const secretActions = {
  read: ['GetSecretValue'],
  rotate: ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'],
};

function allow(service: string, actions: readonly string[], resource: string): PolicyStatement {
  return new PolicyStatement({
    actions: actions.map((action) => `${service}:${action}`),
    resources: [resource],
  });
}
