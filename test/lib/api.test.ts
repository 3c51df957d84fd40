import { describe, expect, test } from 'vitest';
import { routes } from '../../shared/contract/api.ts';
import {
  idIn,
  idOf,
  production,
  type Resource,
  sorted,
  type Synthesised,
  synthesise,
  xpub,
} from './synthesise.ts';

type Dimension = { Name: string; Value: { Ref: string } };
type Metric = { MetricName: string; Dimensions?: Dimension[] };
type Expression = { MetricStat?: { Metric: Metric } };

const dev = synthesise({ walletXpub: xpub });
const prod = synthesise(production);

describe('the API', () => {
  const target = ({ resources }: Synthesised, route: Resource) => {
    const integration = resources[route.Properties['Target']['Fn::Join'][1][1].Ref];
    const lambda = resources[idIn(integration?.Properties['IntegrationUri'])];
    return [lambda?.Properties['Description'], integration?.Properties['PayloadFormatVersion']];
  };

  test('leads every route of the contract to its function, and all else to the fallback', () => {
    const deployed = dev
      .ofType('AWS::ApiGatewayV2::Route')
      .map((route) => [route.Properties['RouteKey'], ...target(dev, route)]);
    expect(sorted(deployed)).toStrictEqual(
      sorted([
        ...routes.map(({ method, path, name }) => [`${method} ${path}`, name, '2.0']),
        ['$default', 'fallback.answer', '2.0'],
      ]),
    );
  });

  test('throttles every route as the contract says, once the route is there', () => {
    const stage = dev.ofType('AWS::ApiGatewayV2::Stage')[0];
    expect(stage?.Properties['RouteSettings']).toStrictEqual(
      Object.fromEntries(
        routes.map(({ method, path, throttle }) => [
          `${method} ${path}`,
          {
            ThrottlingRateLimit: throttle.rate,
            ThrottlingBurstLimit: throttle.burst,
          },
        ]),
      ),
    );
    const routeIds = Object.keys(dev.resources).filter((id) => {
      const { Type, Properties } = dev.resources[id] as Resource;
      return Type === 'AWS::ApiGatewayV2::Route' && Properties['RouteKey'] !== '$default';
    });
    expect(stage?.DependsOn).toEqual(expect.arrayContaining(routeIds));
  });

  test('logs each request as JSON, without paths and headers', () => {
    const format = dev.ofType('AWS::ApiGatewayV2::Stage')[0]?.Properties['AccessLogSettings']
      .Format;
    expect(JSON.parse(format)).toMatchObject({ route: '$context.routeKey' });
    expect(format).not.toMatch(/\$context\.(?:path|authorizer)|header/);
  });

  test('answers no other origin by default, and those of the context where there are some', () => {
    const cors = (from: Synthesised) =>
      from.ofType('AWS::ApiGatewayV2::Api')[0]?.Properties['CorsConfiguration'];
    expect(cors(dev)).toBeUndefined();
    expect(cors(prod)).toStrictEqual({
      AllowOrigins: ['https://app.example.com', 'http://localhost:5173'],
      AllowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
      AllowHeaders: ['authorization', 'content-type'],
      ExposeHeaders: ['link', 'retry-after', 'www-authenticate', 'x-request-id'],
      MaxAge: 3600,
    });
  });

  test('is called at its custom domain alone where there is one', () => {
    const api = prod.ofType('AWS::ApiGatewayV2::Api')[0]?.Properties;
    expect(api?.['DisableExecuteApiEndpoint']).toBe(true);
    expect(prod.ofType('AWS::ApiGatewayV2::ApiMapping')).toHaveLength(1);
    expect(prod.functionOf('sessions.create').Properties['Environment'].Variables.BASE_URL).toBe(
      'https://id.example.com',
    );
    expect(prod.outputs['BaseUrl']?.Value).toBe('https://id.example.com');
    expect(prod.outputs).toHaveProperty('DomainTarget');
  });
});

describe('alarms', () => {
  /** What each alarm reads: the metric, and the function that it is of. */
  const metricsOf = ({ resources, ofType }: Synthesised) =>
    ofType('AWS::CloudWatch::Alarm')
      .flatMap(({ Properties }): Metric[] =>
        Properties['MetricName']
          ? [Properties as Metric]
          : Properties['Metrics'].flatMap(({ MetricStat }: Expression) => MetricStat?.Metric ?? []),
      )
      .map(({ MetricName, Dimensions = [] }) => {
        const { Value } = Dimensions.find(({ Name }) => Name === 'FunctionName') ?? {};
        return [MetricName, ...(Value ? [resources[Value.Ref]?.Properties['Description']] : [])];
      });

  test('watch the answers, what runs unattended, the concurrency of the account, the table, the stream and its dead letters', () => {
    expect(sorted(metricsOf(dev))).toStrictEqual(
      sorted([
        ['5xx'],
        ['Count'],
        ['Latency'],
        ['Errors', 'mail.send'],
        ['Errors', 'keys.rotate'],
        ['Throttles'],
        ['ReadThrottleEvents'],
        ['WriteThrottleEvents'],
        ['IteratorAge', 'stream.consume'],
        ['ApproximateNumberOfMessagesVisible'],
      ]),
    );
  });

  test('cost nothing: they read no more than the ten metrics that are free, and no route has metrics of its own', () => {
    for (const stack of [dev, prod]) {
      expect(metricsOf(stack).length).toBeLessThanOrEqual(10);
      expect(JSON.stringify(stack.template)).not.toMatch(/DetailedMetricsEnabled|MetricFilter/);
    }
  });

  test('mail someone where the context names them', () => {
    expect(dev.ofType('AWS::SNS::Topic')).toHaveLength(0);
    const topic = idOf(prod, 'AWS::SNS::Topic');
    for (const { Properties } of prod.ofType('AWS::CloudWatch::Alarm'))
      expect(Properties['AlarmActions']).toStrictEqual([{ Ref: topic }]);
    expect(prod.ofType('AWS::SNS::Subscription')[0]?.Properties).toStrictEqual({
      Protocol: 'email',
      Endpoint: 'ops@example.com',
      TopicArn: { Ref: topic },
    });
  });
});
