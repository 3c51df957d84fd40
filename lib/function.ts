import { join } from 'node:path';
import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { PolicyDocument, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as Lambda, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { FunctionName } from '../shared/contract/functions.ts';
import type { EnvironmentName } from '../shared/model/env.ts';
import { lambdaNameOf } from './function-names.ts';
import { grants, isEndpoint, sizeOf, variablesOf } from './functions.ts';
import { allow, type Granted, statementsOf } from './policy.ts';

/** What the functions of a deployment have in common. */
export type FunctionProps = Granted & {
  /** The value of every variable; each function gets those that it reads. */
  environment: Record<Exclude<EnvironmentName, 'LOG_LEVEL'>, string | undefined>;
  /** Whether X-Ray traces the functions. */
  tracing: boolean;
  /** Folder of the bundles. */
  bundles: string;
};

type Options = {
  logGroup: ILogGroup;
  /** How many may run at once; undefined: as many as the account has left. */
  concurrency: number | undefined;
};

/** One function with its own role, which may do exactly what its grant says. */
export class ServiceFunction extends Construct {
  readonly lambda: Lambda;

  constructor(
    scope: Construct,
    name: FunctionName,
    props: FunctionProps,
    { logGroup, concurrency }: Options,
  ) {
    super(scope, name);
    const { memory, timeout } = sizeOf(name);
    const statements = [
      allow('logs', ['CreateLogStream', 'PutLogEvents'], logGroup.logGroupArn),
      ...(props.tracing ? [allow('xray', ['PutTraceSegments', 'PutTelemetryRecords'], '*')] : []),
      ...statementsOf(grants[name], props),
    ];
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `${name} of the identity and workspace service`,
      // Within the role, for a policy beside it would be one resource more a function.
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
      // Nothing adds to it what is not granted above.
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
  }

  private acknowledge(role: Role, name: FunctionName, { schedules }: FunctionProps): void {
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray knows no resources: PutTraceSegments and PutTelemetryRecords take only "*".',
    });
    if (grants[name].schedule)
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule/${schedules.group}/*]`,
        reason: 'Each schedule has a name of its own; the group is ours alone.',
      });
    if (grants[name].sendMail)
      Validations.of(role).acknowledge({
        id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*]',
        reason: 'Projects have senders of their own, which the stack does not know.',
      });
  }
}
