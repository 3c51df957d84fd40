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
 * MB and seconds. Memory buys CPU in proportion: 1,769 MB is one vCPU. A request computes a millisecond or two and
 * waits for DynamoDB the rest of its time, which costs by the MB; a cold start is all CPU, some 130 ms of a whole
 * one. Less than 1,024 MB makes cold starts slow, more pays for waiting.
 * Who calls over HTTP is answered within 2.5 s, and half a second is kept back to answer and log
 * (shared/http/endpoint.ts), so 4 s is reached only by a fault. Nobody waits for the background.
 */
const sizes: { [F in FunctionName]?: { memory: number; timeout: number } } = {
  // Removes the members of whole workspaces; what the time cuts off, the retry takes up.
  'stream.consume': { memory: 512, timeout: 300 },
  // Makes an RSA key pair, or waits 12 s for verifiers to look again.
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
