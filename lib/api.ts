import { Aws, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  ApiMapping,
  CfnApi,
  DomainName,
  HttpApi,
  HttpStage,
  type IHttpApi,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct, type IDependable } from 'constructs';
import { routes } from '../shared/contract/api.ts';
import { fallback } from '../shared/contract/fallback.ts';
import { gatewayDefinition } from '../shared/contract/gateway.ts';
import type { Config } from './config.ts';
import { cors } from './cors.ts';
import type { EndpointName } from './domain.ts';
import { lambdaArnOf } from './function-names.ts';
import { GatewayRole } from './gateway-role.ts';

/** One line a request. No path, which names users; no header, which holds credentials. */
const accessLog = JSON.stringify({
  request_id: '$context.requestId',
  time: '$context.requestTime',
  route: '$context.routeKey',
  status: '$context.status',
  source_ip: '$context.identity.sourceIp',
  user_agent: '$context.identity.userAgent',
  response_bytes: '$context.responseLength',
  latency_ms: '$context.responseLatency',
  integration_latency_ms: '$context.integrationLatency',
  integration_error: '$context.integrationErrorMessage',
  gateway_error: '$context.error.message',
});

/**
 * The HTTP API. Its routes are those of the contract, and whatever matches none goes to `fallback.notFound`. All of them
 * are in one OpenAPI definition, the API's `Body`: as resources they would be two for every endpoint, of the 500 that a
 * stack may have.
 */
export class Api extends Construct {
  readonly api: IHttpApi;
  /** Where clients call it, without a trailing slash. */
  readonly baseUrl: string;
  /** What the DNS record of the custom domain must point to. */
  readonly domainTarget: string | undefined;
  private readonly resource: CfnApi;
  private readonly hasDomain: boolean;

  constructor(scope: Construct, id: string, config: Config, served = routes) {
    super(scope, id);
    const { domainName, certificateArn } = config;
    const called = [...served.map(({ name }) => name), fallback.name];
    const role = new GatewayRole(this, 'GatewayRole', called);
    // Under the id that the API was deployed with first: another would replace it, and with it the issuer of the tokens.
    this.resource = new CfnApi(new Construct(this, 'Api'), 'Resource', {
      body: gatewayDefinition(served, {
        title: Stack.of(this).stackName,
        // One address: tokens carry it as their issuer.
        disableExecuteApiEndpoint: domainName !== undefined,
        cors: corsOf(config),
        integrationOf: (name) => ({
          type: 'aws_proxy',
          httpMethod: 'POST',
          payloadFormatVersion: '2.0',
          uri: this.uriOf(name),
          credentials: role.arn,
        }),
      }),
    });
    this.api = HttpApi.fromHttpApiAttributes(this, 'Imported', {
      httpApiId: this.resource.ref,
      apiEndpoint: this.resource.attrApiEndpoint,
    });
    const stage = this.makeStage(config);
    this.hasDomain = domainName !== undefined;
    this.baseUrl = domainName ? `https://${domainName}` : this.resource.attrApiEndpoint;
    if (domainName && certificateArn) {
      const domain = new DomainName(this, 'Domain', {
        domainName,
        certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      });
      new ApiMapping(this, 'Mapping', { api: this.api, domainName: domain, stage });
      this.domainTarget = domain.regionalDomainName;
    }
  }

  /**
   * Has the routes change once their functions are there, where the API has a domain of its own. Elsewhere the functions
   * know the address of the API, so it is there before them, and a new route fails until its function follows.
   */
  changeAfter(...functions: IDependable[]): void {
    if (this.hasDomain) this.resource.node.addDependency(...functions);
  }

  /** What API Gateway calls to invoke a function. */
  private uriOf(name: EndpointName): string {
    const { partition, region } = Stack.of(this);
    const arn = lambdaArnOf(this, name);
    return `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${arn}/invocations`;
  }

  private makeStage(config: Config): HttpStage {
    const logs = new LogGroup(this, 'AccessLogs', {
      // Under this prefix API Gateway needs no entry in the account's one log policy, which has a size limit.
      logGroupName: `/aws/vendedlogs/apis/${Aws.STACK_NAME}`,
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // One throttle for all routes, each by itself, and no RouteSettings: API Gateway keeps those of a route that is gone,
    // and then refuses every later change of the stage.
    const { rate, burst } = config.throttle;
    // No detailed metrics: CloudWatch would bill several for each of the routes, and the access log has route, status
    // and latency of every request.
    return new HttpStage(this, 'Stage', {
      httpApi: this.api,
      autoDeploy: true,
      throttle: { rateLimit: rate, burstLimit: burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(logs),
        format: AccessLogFormat.custom(accessLog),
      },
    });
  }
}

function corsOf({ corsOrigins }: Config) {
  if (corsOrigins.length === 0) return undefined;
  return {
    allowOrigins: corsOrigins,
    allowMethods: cors.methods,
    allowHeaders: cors.headers,
    exposeHeaders: cors.exposed,
    maxAge: cors.maxAge,
  };
}
