import { Aws, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
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
import type { EndpointName } from '../shared/contract/functions.ts';
import { gatewayDefinition } from '../shared/contract/gateway.ts';
import type { Config } from './config.ts';
import { cors } from './cors.ts';
import { lambdaNameOf } from './function-names.ts';
import { GatewayRole } from './gateway-role.ts';

/**
 * One line for each request. No path, because it contains user ids; no header, because they contain credentials, and a
 * client could fill 10 KB of each line with its User-Agent.
 */
const accessLog = JSON.stringify({
  request_id: '$context.requestId',
  time: '$context.requestTime',
  route: '$context.routeKey',
  status: '$context.status',
  source_ip: '$context.identity.sourceIp',
  response_bytes: '$context.responseLength',
  latency_ms: '$context.responseLatency',
  integration_latency_ms: '$context.integrationLatency',
  integration_error: '$context.integrationErrorMessage',
  gateway_error: '$context.error.message',
});

/**
 * The HTTP API. Its routes are those of the contract; a request that matches none goes to `fallback.notFound`. All
 * routes are in one OpenAPI definition, the API's `Body`: as resources they would take two of the stack's 500 for each
 * endpoint.
 */
export class Api extends Construct {
  readonly httpApi: IHttpApi;
  /** The public base URL, without a trailing slash. */
  readonly baseUrl: string;
  /** Target for the DNS record of the custom domain. */
  readonly domainTarget: string | undefined;
  /** Targets for the DNS records of the domains of hosted pages, each as `name=target`. */
  readonly pagesDomainTargets: string[];
  private readonly resource: CfnApi;
  private readonly hasDomain: boolean;
  private lastDomain: DomainName | undefined;

  constructor(scope: Construct, id: string, config: Config, served = routes) {
    super(scope, id);
    const { domainName, certificateArn, pagesDomains, tags } = config;
    const called = [...served.map(({ name }) => name), fallback.name];
    const role = new GatewayRole(this, 'GatewayRole', called);
    // The logical id of the first deployment: another id would replace the API, and with it the issuer of the tokens.
    this.resource = new CfnApi(new Construct(this, 'Api'), 'Resource', {
      body: gatewayDefinition(served, {
        title: Stack.of(this).stackName,
        // A single public address, because it is the issuer of the tokens.
        disableExecuteApiEndpoint: domainName !== undefined,
        cors: corsOf(config),
        tags,
        integrationOf: (name) => ({
          type: 'aws_proxy',
          httpMethod: 'POST',
          payloadFormatVersion: '2.0',
          uri: this.uriOf(name),
          credentials: role.arn,
        }),
      }),
    });
    this.httpApi = HttpApi.fromHttpApiAttributes(this, 'Imported', {
      httpApiId: this.resource.ref,
    });
    const stage = this.makeStage(config);
    this.hasDomain = domainName !== undefined;
    this.baseUrl = `https://${domainName ?? this.ownHost()}`;
    if (domainName && certificateArn) {
      this.domainTarget = this.addDomain(this, { domainName, certificateArn }, stage);
    }
    // Each in a scope of its own name, so that adding or removing one does not change the others.
    this.pagesDomainTargets = pagesDomains.map((domain) => {
      const scoped = new Construct(this, `PagesDomain-${domain.domainName}`);
      return `${domain.domainName}=${this.addDomain(scoped, domain, stage)}`;
    });
  }

  /**
   * AWS's address of the API, without the attribute `ApiEndpoint`: CloudFormation asks API Gateway for an attribute in
   * each resource that has it, here almost every function, and API Gateway takes ten such calls a second.
   */
  private ownHost(): string {
    return `${this.resource.ref}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`;
  }

  /**
   * Gives the API a host name. Returns the target for its DNS record. One after the other: API Gateway creates, and
   * deletes, one domain in 30 seconds for an account.
   */
  private addDomain(
    scope: Construct,
    { domainName, certificateArn }: Config['pagesDomains'][number],
    stage: HttpStage,
  ): string {
    const domain = new DomainName(scope, 'Domain', {
      domainName,
      certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificateArn),
    });
    if (this.lastDomain) domain.node.addDependency(this.lastDomain);
    this.lastDomain = domain;
    new ApiMapping(scope, 'Mapping', { api: this.httpApi, domainName: domain, stage });
    return domain.regionalDomainName;
  }

  /**
   * Updates the routes after their functions, if the API has its own domain. Otherwise the functions depend on the
   * API's address, so the API is updated first, and a new route fails until its function is deployed.
   */
  changeAfter(...functions: IDependable[]): void {
    if (this.hasDomain) this.resource.node.addDependency(...functions);
  }

  /**
   * The integration URI with which API Gateway invokes a function. `Fn::Sub` writes it in half the length of a composed
   * one, and every route has one in the template.
   */
  private uriOf(endpoint: EndpointName): string {
    const name = lambdaNameOf(Stack.of(this).stackName, endpoint);
    return Fn.sub(
      `arn:\${AWS::Partition}:apigateway:\${AWS::Region}:lambda:path/2015-03-31/functions/arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}:function:${name}/invocations`,
    );
  }

  private makeStage(config: Config): HttpStage {
    const logs = new LogGroup(this, 'AccessLogs', {
      // With this prefix API Gateway needs no entry in the account's only log policy, which has a size limit.
      logGroupName: `/aws/vendedlogs/apis/${Aws.STACK_NAME}`,
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // One throttle setting that applies to each route separately, and no RouteSettings: API Gateway keeps those of a
    // removed route and then rejects every later change of the stage.
    const { rate, burst } = config.throttle;
    // No detailed metrics: CloudWatch would bill several for each route, and the access log has route, status and
    // latency of every request.
    return new HttpStage(this, 'Stage', {
      httpApi: this.httpApi,
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
