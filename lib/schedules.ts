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
 * A group of one-time schedules of EventBridge Scheduler, with which functions run work later. A schedule costs only
 * when it runs.
 */
export class Schedules extends Construct {
  readonly group: string;
  /** The role of a schedule. */
  readonly role: Role;

  constructor(scope: Construct, id: string, deadLetters: Queue) {
    super(scope, id);
    const { account, stackName } = Stack.of(this);
    this.group = stackName;
    const group = new CfnScheduleGroup(this, 'Group', { name: this.group });
    this.role = new Role(this, 'Role', {
      // Only for schedules of this group: the service acts for every account, and this account may have other groups.
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

  /**
   * Lets schedules invoke a function. The policy references the role, not the reverse, because the function references
   * the role.
   */
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
