import { Stack } from 'aws-cdk-lib';
import {
  ManagedPolicy,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/**
 * Where functions have something done later: one-time schedules of EventBridge Scheduler, in a group of their own. A
 * schedule costs when it runs and nothing while it waits.
 */
export class Schedules extends Construct {
  readonly group: string;
  /** The role that a schedule acts as. */
  readonly role: Role;

  constructor(scope: Construct, id: string, deadLetters: Queue) {
    super(scope, id);
    const { account, stackName } = Stack.of(this);
    this.group = stackName;
    const group = new CfnScheduleGroup(this, 'Group', { name: this.group });
    this.role = new Role(this, 'Role', {
      // For this group's schedules alone: the service acts for every account, and this one may have other groups.
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: { 'aws:SourceAccount': account },
          ArnEquals: { 'aws:SourceArn': group.attrArn },
        },
      }),
      description: 'Invokes the sender of webhooks when a schedule is due',
      inlinePolicies: {
        DeadLetters: new PolicyDocument({
          statements: [allow('sqs:SendMessage', deadLetters.queueArn)],
        }),
      },
    });
  }

  /** ARN of every schedule of the group. */
  get all(): string {
    const resourceName = `${this.group}/*`;
    return Stack.of(this).formatArn({ service: 'scheduler', resource: 'schedule', resourceName });
  }

  /** Lets schedules invoke a function. The policy names the role, not it the policy: the function knows the role. */
  invoke(lambda: Lambda): void {
    new ManagedPolicy(this, 'Invoke', {
      roles: [this.role],
      statements: [allow('lambda:InvokeFunction', lambda.functionArn)],
    });
  }
}

function allow(action: string, resource: string): PolicyStatement {
  return new PolicyStatement({ actions: [action], resources: [resource] });
}
