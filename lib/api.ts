import { Aws, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  ApiMapping,
  CorsHttpMethod,
  DomainName,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type Operation, routes as contract } from '../shared/contract/api.ts';
import type { Config } from './config.ts';
import { cors } from './cors.ts';
import { Invoker } from './invoker.ts';

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

/** The HTTP API: its routes are those of the contract, and whatever matches none goes to `fallback.answer`. */
export class Api extends Construct {
  readonly api: HttpApi;
  /** Where clients call it, without a trailing slash. It depends on no route, so functions can know it. */
  readonly baseUrl: string;
  /** What the DNS record of the custom domain must point to. */
  readonly domainTarget: string | undefined;
  private readonly stage: HttpStage;
  private readonly invoker: Invoker;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id);
    const { domainName, certificateArn, corsOrigins } = config;
    this.api = new HttpApi(this, 'Api', {
      apiName: `identity-workspace-${config.stage}`,
      createDefaultStage: false,
      // One address: tokens carry it as their issuer.
      disableExecuteApiEndpoint: domainName !== undefined,
      ...(corsOrigins.length > 0 && {
        corsPreflight: {
          allowOrigins: corsOrigins,
          allowMethods: cors.methods.map((method) => CorsHttpMethod[method]),
          allowHeaders: [...cors.headers],
          exposeHeaders: [...cors.exposed],
          maxAge: Duration.seconds(cors.maxAge),
        },
      }),
    });
    this.stage = this.makeStage(config);
    this.invoker = new Invoker(this, 'Invoker');
    this.baseUrl = domainName ? `https://${domainName}` : this.api.apiEndpoint;
    if (domainName && certificateArn) {
      const domain = new DomainName(this, 'Domain', {
        domainName,
        certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      });
      new ApiMapping(this, 'Mapping', { api: this.api, domainName: domain, stage: this.stage });
      this.domainTarget = domain.regionalDomainName;
    }
  }

  /** Puts every route before its function. */
  route(lambdaOf: (name: Operation | 'fallback.answer') => Lambda, served = contract): void {
    for (const { name, method, path, auth, deployedAs = name } of served) {
      const key = HttpRouteKey.with(path, HttpMethod[method]);
      const route = this.addRoute(deployedAs, key, lambdaOf(name), reasonOf(auth));
      // So the first deployment of the stage has them all.
      this.stage.node.addDependency(route);
    }
    this.addRoute(
      'fallback.answer',
      HttpRouteKey.DEFAULT,
      lambdaOf('fallback.answer'),
      'It answers 404 and 405 to everyone and reads nothing.',
    );
  }

  private addRoute(id: string, routeKey: HttpRouteKey, lambda: Lambda, reason: string): HttpRoute {
    const integration = this.invoker.integrate(lambda, routeKey.method ?? HttpMethod.ANY);
    const route = new HttpRoute(this, id, { httpApi: this.api, routeKey, integration });
    Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason });
    return route;
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

function reasonOf(auth: readonly unknown[]): string {
  return auth.length === 0
    ? 'It is public: discovery and documentation hold nothing of a project.'
    : 'The function authenticates by itself: project keys and revocable sessions are more than a JWT authorizer knows.';
}
