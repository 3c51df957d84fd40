import { createHash } from 'node:crypto';
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { EndpointName } from '../shared/contract/functions.ts';
import { lambdaArnOf } from './function-names.ts';

/**
 * Number of managed policies. One holds 6,144 characters (IAM), about 48 functions; inline policies hold 10,240 in
 * total, which is too few. A role can have ten.
 */
const policyCount = 8;

/**
 * Lets API Gateway call the functions of the routes, with one role for all. A Lambda permission for each function would
 * be one more resource for every route.
 *
 * The role's trust policy has no condition on `aws:SourceAccount` or `aws:SourceArn`: API Gateway sends neither when it
 * assumes the role of an integration, so every call would fail. Another account still cannot make API Gateway use the
 * role: creating an integration with it requires `iam:PassRole`, and roles cannot be passed across accounts.
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
      // The role references the policy, not the reverse, so the policy exists before the role and before any route.
      role.addManagedPolicy(new ManagedPolicy(this, `Calls${index}`, { statements: [statement] }));
    }
  }
}

/**
 * The policy of a function depends only on its name, so no function moves when others are added or removed. Policies
 * are updated one after another, and a function that moved between them could not be called meanwhile.
 */
function policyOf(name: EndpointName): number {
  return createHash('sha256').update(name).digest().readUInt8(0) % policyCount;
}
