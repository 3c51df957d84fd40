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
type Arn = Parameters<typeof idIn>[0];
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

  test('throttles each route as the settings say, once the routes are there', () => {
    const stage = dev.ofType('AWS::ApiGatewayV2::Stage')[0];
    const limitsOf = ({ ofType }: Synthesised) =>
      ofType('AWS::ApiGatewayV2::Stage')[0]?.Properties['DefaultRouteSettings'];
    expect(limitsOf(dev)).toEqual({ ThrottlingRateLimit: 5000, ThrottlingBurstLimit: 5000 });
    expect(limitsOf(prod)).toEqual({ ThrottlingRateLimit: 300, ThrottlingBurstLimit: 600 });
    const routeIds = Object.keys(dev.resources).filter((id) => {
      const { Type, Properties } = dev.resources[id] as Resource;
      return Type === 'AWS::ApiGatewayV2::Route' && Properties['RouteKey'] !== '$default';
    });
    expect(stage?.DependsOn).toEqual(expect.arrayContaining(routeIds));
  });

  describe('calls its functions', () => {
    const integrations = dev.ofType('AWS::ApiGatewayV2::Integration');
    const credentials = integrations.map(({ Properties }) => Properties['CredentialsArn']);
    const role = dev.resources[idIn(credentials[0])]?.Properties ?? {};
    const attached: { Ref: string }[] = role['ManagedPolicyArns'];
    const policies = attached.map(({ Ref }) => dev.resources[Ref]?.Properties['PolicyDocument']);
    const called = ({ Statement }: { Statement: { Resource: Arn | Arn[] }[] }) =>
      Statement.flatMap(({ Resource }) => Resource);

    test('by one role, which API Gateway alone takes on', () => {
      expect(credentials).toStrictEqual(integrations.map(() => credentials[0]));
      expect(role['AssumeRolePolicyDocument'].Statement).toStrictEqual([
        {
          Effect: 'Allow',
          Principal: { Service: 'apigateway.amazonaws.com' },
          Action: 'sts:AssumeRole',
        },
      ]);
      const elsewhere = JSON.stringify(dev.ofType('AWS::Lambda::Permission'));
      expect(elsewhere).not.toContain('apigateway');
    });

    test('each that has a route, and nothing else', () => {
      expect(role).not.toHaveProperty('Policies');
      // A policy can also name the roles that it is attached to.
      const attaching = dev
        .ofType('AWS::IAM::ManagedPolicy')
        .map((policy) => policy.Properties['Roles']);
      expect(JSON.stringify(attaching)).not.toContain(idIn(credentials[0]));
      for (const { Statement } of policies)
        expect(Statement).toStrictEqual([
          { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: expect.anything() },
        ]);
      expect(sorted(policies.flatMap(called))).toStrictEqual(
        sorted(integrations.map(({ Properties }) => Properties['IntegrationUri'])),
      );
    });

    test('by a policy that a function does not leave when a route is added: that of its method', () => {
      const method = Object.fromEntries(routes.map((route) => [route.name, route.method]));
      const methods = policies.map((policy) => [
        ...new Set(
          called(policy).map((of) => method[dev.resources[idIn(of)]?.Properties['Description']]),
        ),
      ]);
      expect(sorted(methods)).toStrictEqual(
        sorted([...new Set(Object.values(method)), undefined].map((one) => [one])),
      );
    });

    test('by policies as long as IAM takes them, whatever the region and the names', () => {
      const longest = `arn:aws-us-gov:lambda:ap-southeast-1:123456789012:function:${'f'.repeat(64)}`;
      for (const policy of policies) {
        const text = JSON.stringify(policy);
        const resolved = called(policy).reduce(
          (before, of) => before.replace(JSON.stringify(of), JSON.stringify(longest)),
          text,
        );
        expect(resolved).not.toContain('Fn::');
        expect(resolved.length).toBeLessThanOrEqual(6144);
      }
      expect(policies.length).toBeLessThanOrEqual(11);
    });
  });

  test('logs each request as JSON, without paths and headers', () => {
    const format = dev.ofType('AWS::ApiGatewayV2::Stage')[0]?.Properties['AccessLogSettings']
      .Format;
    expect(JSON.parse(format)).toMatchObject({ route: '$context.routeKey' });
    expect(format).not.toMatch(/\$context\.(?:path|authorizer)|header/);
  });

  test('answers no other origin by default, and those of the settings where there are some', () => {
    const cors = (from: Synthesised) =>
      from.ofType('AWS::ApiGatewayV2::Api')[0]?.Properties['CorsConfiguration'];
    expect(cors(dev)).toBeUndefined();
    const usual = ['link', 'retry-after', 'www-authenticate', 'x-request-id'];
    expect(cors(prod)).toStrictEqual({
      AllowOrigins: ['https://app.example.com', 'http://localhost:5173'],
      AllowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
      AllowHeaders: ['authorization', 'content-type', 'idempotency-key', 'if-match'],
      ExposeHeaders: ['etag', 'idempotency-replayed', ...usual],
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

  test('watch the answers, what runs unattended, the concurrency of the account, the table, the stream, its queue and the dead letters', () => {
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
        ['IteratorAge', 'stream.sort'],
        ['ApproximateAgeOfOldestMessage'],
        ['ApproximateNumberOfMessagesVisible'],
      ]),
    );
  });

  test('cost next to nothing: they read one metric more than the ten that are free, and no route has metrics of its own', () => {
    for (const stack of [dev, prod]) {
      expect(metricsOf(stack).length).toBeLessThanOrEqual(11);
      expect(JSON.stringify(stack.template)).not.toMatch(/DetailedMetricsEnabled|MetricFilter/);
    }
  });

  test('mail someone where the settings name them', () => {
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
