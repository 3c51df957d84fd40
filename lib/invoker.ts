import {
  HttpIntegrationType,
  HttpRouteIntegration,
  type HttpRouteIntegrationConfig,
  IntegrationCredentials,
  PayloadFormatVersion,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

/**
 * Lets API Gateway call the functions of the routes, by one role for them all. A permission at each function, as
 * `HttpLambdaIntegration` makes it, would be a resource more for every route.
 *
 * The role's trust has no condition on `aws:SourceAccount` or `aws:SourceArn`: API Gateway says neither when it assumes
 * the role of an integration, so every call would fail. Another account cannot make API Gateway use the role all the
 * same: to make an integration with it takes `iam:PassRole`, and no role can be passed across accounts.
 */
export class Invoker extends Construct {
  private readonly role: Role;
  private readonly statements = new Map<string, PolicyStatement>();

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      description: 'API Gateway calls the functions of the routes',
    });
  }

  /**
   * An integration that calls the function.
   *
   * @param group names the policy that allows it. One holds 6,144 characters (IAM), 48 functions; those within a role
   * 10,240 altogether, too few. The group of a function must not change: the policies are updated one after another,
   * and what moves between them cannot be called meanwhile.
   */
  integrate(lambda: Lambda, group: string): HttpRouteIntegration {
    const statement = this.statements.get(group) ?? this.addPolicy(group);
    statement.addResources(lambda.functionArn);
    return new Invocation(lambda, this.role);
  }

  private addPolicy(group: string): PolicyStatement {
    const statement = new PolicyStatement({ actions: ['lambda:InvokeFunction'] });
    this.statements.set(group, statement);
    // The role names it, not it the role: so it is there before the role, and before any integration.
    this.role.addManagedPolicy(new ManagedPolicy(this, group, { statements: [statement] }));
    return statement;
  }
}

class Invocation extends HttpRouteIntegration {
  private readonly config: HttpRouteIntegrationConfig;

  constructor(lambda: Lambda, role: Role) {
    super('Integration');
    this.config = {
      type: HttpIntegrationType.AWS_PROXY,
      uri: lambda.functionArn,
      payloadFormatVersion: PayloadFormatVersion.VERSION_2_0,
      credentials: IntegrationCredentials.fromRole(role),
    };
  }

  bind(): HttpRouteIntegrationConfig {
    return this.config;
  }
}
