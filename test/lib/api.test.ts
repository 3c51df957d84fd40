import { describe, expect, test } from 'vitest';
import { functionNames } from '../../lib/bundle.ts';
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

type Metric = { MetricStat?: { Metric: { MetricName: string } } };

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
            DetailedMetricsEnabled: true,
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
  const metricsOf = ({ Properties }: Resource): string[] =>
    Properties['MetricName']
      ? [Properties['MetricName']]
      : Properties['Metrics'].flatMap(
          (metric: Metric) => metric.MetricStat?.Metric.MetricName ?? [],
        );

  test('watch errors and throttles of every function, the answers, the table, the stream and its dead letters', () => {
    const metrics = dev.ofType('AWS::CloudWatch::Alarm').flatMap(metricsOf);
    const counts = Object.groupBy(metrics, (metric) => metric);
    expect(Object.entries(counts).map(([name, found]) => [name, found?.length])).toEqual(
      expect.arrayContaining([
        ['Errors', functionNames.length],
        ['Throttles', functionNames.length],
        ['5xx', 1],
        ['Latency', 1],
        ['ReadThrottleEvents', 1],
        ['WriteThrottleEvents', 1],
        ['IteratorAge', 1],
        ['ApproximateNumberOfMessagesVisible', 1],
      ]),
    );
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
