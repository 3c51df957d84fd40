import { CfnOutput, Stack } from 'aws-cdk-lib';
import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

type Props = {
  /** The base URL of the service, without a trailing slash: the issuer of its tokens. */
  serviceUrl: string;
  projectId: string;
};

/** An HTTP API whose gateway verifies the tokens of one project before a function runs. */
export class ExampleStack extends Stack {
  constructor(scope: Construct, id: string, { serviceUrl, projectId }: Props) {
    super(scope, id);
    const secret = Secret.fromSecretNameV2(this, 'ProjectSecret', 'identity/project-secret');
    const functionOf = (name: string) =>
      new NodejsFunction(this, name, {
        entry: `${import.meta.dirname}/${name}.ts`,
        runtime: Runtime.NODEJS_24_X,
        bundling: { format: OutputFormat.ESM, mainFields: ['module', 'main'] },
        environment: {
          SERVICE_URL: serviceUrl,
          PROJECT_ID: projectId,
          SECRET_ID: secret.secretName,
        },
      });
    const api = functionOf('api');
    secret.grantRead(api);
    const report = functionOf('report');

    // RS256 alone: a project whose tokens are signed with ES256 needs a Lambda authorizer, `forAuthorizer`.
    const jwt = new HttpJwtAuthorizer('Users', serviceUrl, { jwtAudience: [projectId] });
    const gateway = new HttpApi(this, 'Api', { defaultAuthorizer: jwt });
    gateway.addRoutes({
      path: '/{proxy+}',
      integration: new HttpLambdaIntegration('ApiIntegration', api),
    });
    gateway.addRoutes({
      path: '/report',
      methods: [HttpMethod.GET],
      integration: new HttpLambdaIntegration('ReportIntegration', report),
    });
    new CfnOutput(this, 'Url', { value: gateway.apiEndpoint });
  }
}
