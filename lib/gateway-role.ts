import { createHash } from 'node:crypto';
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { EndpointName } from './domain.ts';
import { lambdaArnOf } from './function-names.ts';

/**
 * How many policies allow the calls. One holds 6,144 characters (IAM), some 48 functions; those within a role 10,240
 * altogether, too few. A role takes ten.
 */
const policyCount = 8;

/**
 * Lets API Gateway call the functions of the routes, by one role for them all. A permission at each function would be a
 * resource more for every route.
 *
 * The role's trust has no condition on `aws:SourceAccount` or `aws:SourceArn`: API Gateway says neither when it assumes
 * the role of an integration, so every call would fail. Another account cannot make API Gateway use the role all the
 * same: to make an integration with it takes `iam:PassRole`, and no role can be passed across accounts.
 */
export class GatewayRole extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, called: readonly EndpointName[]) {
    super(scope, id);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      description: 'API Gateway calls the functions of the routes',
    });
    this.arn = role.roleArn;
    for (const [index, names] of [...Map.groupBy(called, policyOf)].sort(([a], [b]) => a - b)) {
      const resources = names.map((name) => lambdaArnOf(this, name));
      const statement = new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources });
      // The role names the policy, not the policy the role: so it is there before the role, and before any route.
      role.addManagedPolicy(new ManagedPolicy(this, `Calls${index}`, { statements: [statement] }));
    }
  }
}

/**
 * The policy of a function follows from its name alone, so no function moves when others come or go. The policies are
 * updated one after another, and a function that moved between them could not be called meanwhile.
 */
function policyOf(name: EndpointName): number {
  return createHash('sha256').update(name).digest().readUInt8(0) % policyCount;
}
