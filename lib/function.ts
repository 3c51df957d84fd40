import { join } from 'node:path';
import { ArnFormat, Duration, Stack, Validations } from 'aws-cdk-lib';
import { PolicyDocument, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as Lambda, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { FunctionName } from '../shared/contract/functions.ts';
import type { EnvironmentName } from '../shared/model/env.ts';
import { providerSecretsPrefix } from '../shared/model/provider-secret.ts';
import { lambdaNameOf } from './function-names.ts';
import { grants, isEndpoint, sizeOf, variablesOf } from './functions.ts';
import { type Granted, statement, statementsOf } from './iam-statements.ts';

/** Properties shared by all functions of a deployment. */
export type FunctionProps = Granted & {
  /** Values of all variables; each function gets only those that it reads. */
  environment: Record<Exclude<EnvironmentName, 'LOG_LEVEL'>, string | undefined>;
  /** Whether X-Ray traces the functions. */
  tracing: boolean;
  /** Folder of the bundles. */
  bundles: string;
};

type Options = {
  /** That of the domain. */
  logGroup: ILogGroup;
  logGroupName: string;
  /** Reserved concurrency; undefined: unreserved. */
  concurrency: number | undefined;
};

/** One function with its own role, which allows exactly its grant. */
export class ServiceFunction extends Construct {
  readonly lambda: Lambda;

  constructor(
    scope: Construct,
    name: FunctionName,
    props: FunctionProps,
    { logGroup, logGroupName, concurrency }: Options,
  ) {
    super(scope, name);
    const { memory, timeout } = sizeOf(name);
    const statements = [
      statement('logs', ['CreateLogStream', 'PutLogEvents'], streamsOf(this, logGroupName)),
      ...(props.tracing
        ? [statement('xray', ['PutTraceSegments', 'PutTelemetryRecords'], '*')]
        : []),
      ...statementsOf(grants[name], props),
    ];
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `${name} of the identity and workspace service`,
      // Inline, because a separate policy would be one more resource for each function.
      inlinePolicies: { Grant: new PolicyDocument({ statements }) },
    });
    this.lambda = new Lambda(this, 'Function', {
      ...(isEndpoint(name) && { functionName: lambdaNameOf(Stack.of(this).stackName, name) }),
      description: name,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(join(props.bundles, name)),
      handler: 'index.handler',
      memorySize: memory,
      timeout: Duration.seconds(timeout),
      // Prevents later additions of permissions that are not in the grant.
      role: role.withoutPolicyUpdates(),
      logGroup,
      tracing: props.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      ...(concurrency !== undefined && { reservedConcurrentExecutions: concurrency }),
      ...(grants[name].asynchronous && { deadLetterQueue: props.stream.deadLetters }),
      environment: Object.fromEntries(
        variablesOf(name).flatMap((key) => {
          const value = props.environment[key as keyof FunctionProps['environment']];
          return value === undefined ? [] : [[key, value]];
        }),
      ),
    });
    this.acknowledge(role, name, props);
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:log-group:${logGroupName}:*]`,
      reason: 'Each instance of a function writes a stream of its own, and Lambda names it.',
    });
  }

  private acknowledge(role: Role, name: FunctionName, { schedules }: FunctionProps): void {
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray has no resources: PutTraceSegments and PutTelemetryRecords accept only "*".',
    });
    if (grants[name].schedule)
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule/${schedules.group}/*]`,
        reason: 'Each schedule has its own name; the group belongs to this stack only.',
      });
    if (grants[name].secrets?.providers)
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:${providerSecretsPrefix(Stack.of(this).stackName)}/*]`,
        reason: 'Operators set the secret of each project at each provider; the stack knows none.',
      });
    if (grants[name].sendMail)
      Validations.of(role).acknowledge({
        id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*]',
        reason: 'Projects have their own senders, which the stack does not know.',
      });
  }
}

/**
 * The ARN of the streams of a log group, without the attribute `Arn`: CloudFormation asks CloudWatch for it in each
 * role, and CloudWatch refuses that many calls at once.
 */
const streamsOf = (scope: Construct, logGroupName: string): string =>
  Stack.of(scope).formatArn({
    service: 'logs',
    resource: 'log-group',
    resourceName: `${logGroupName}:*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
