import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, test, vi } from 'vitest';
import { functionNames } from '../../lib/bundle.ts';
import { grants } from '../../lib/grants.ts';
import { routes } from '../../shared/contract/api.ts';
import { shape } from '../../shared/table/shape.ts';
import { developmentXpub } from '../../shared/wallet-development.ts';
import { type Resource, synthesise } from './synthesise.ts';

/** A test vector of BIP-32. */
const xpub =
  'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8';
const dev = synthesise({ walletXpub: xpub });
const domainName = 'id.example.com';
const prod = synthesise({
  stage: 'prod',
  walletXpub: xpub,
  walletType: 'custodial',
  corsOrigins: 'https://app.example.com,http://localhost:5173',
  domainName,
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b2c',
  alarmEmail: 'ops@example.com',
  logRetentionDays: '365',
});

/** The logical id of a resource that is the only one of its type. */
function idOf({ resources }: typeof dev, type: string): string {
  const ids = Object.keys(resources).filter((id) => resources[id]?.Type === type);
  if (!ids[0] || ids.length > 1) throw new Error(`There are ${ids.length} of ${type}.`);
  return ids[0];
}
const table = idOf(dev, 'AWS::DynamoDB::GlobalTable');
const secret = idOf(dev, 'AWS::SecretsManager::Secret');
const queue = idOf(dev, 'AWS::SQS::Queue');
const arn = (id: string, attribute = 'Arn') => ({ 'Fn::GetAtt': [id, attribute] });
const idIn = (reference: { 'Fn::GetAtt': [string, string] }) => reference['Fn::GetAtt'][0];

describe('every function', () => {
  test('is there once, with a role and a log group of its own', () => {
    const functions = functionNames.map((name) => dev.functionOf(name).Properties);
    expect(dev.ofType('AWS::Lambda::Function')).toHaveLength(functionNames.length);
    expect(new Set(functions.map(({ Role }) => idIn(Role))).size).toBe(functionNames.length);
    const groups = functions.map(({ LoggingConfig }) => LoggingConfig.LogGroup.Ref);
    expect(new Set(groups).size).toBe(functionNames.length);
    expect(groups.map((id) => dev.resources[id]?.Properties['RetentionInDays'])).toStrictEqual(
      functionNames.map(() => 30),
    );
  });

  test.each(functionNames)('%s runs on Node 24 and ARM, traced', (name) => {
    expect(dev.functionOf(name).Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      TracingConfig: { Mode: 'Active' },
    });
  });

  test.each(functionNames)('%s may do what its grant says and nothing else', (name) => {
    const { Role, LoggingConfig } = dev.functionOf(name).Properties;
    const role = dev.resources[idIn(Role)]?.Properties;
    expect(role).not.toHaveProperty('ManagedPolicyArns');
    expect(role).not.toHaveProperty('Policies');
    const policies = dev
      .ofType('AWS::IAM::Policy')
      .filter(({ Properties }) =>
        Properties['Roles'].some(({ Ref }: { Ref: string }) => Ref === idIn(Role)),
      );
    const given = policies
      .flatMap(({ Properties }) => Properties['PolicyDocument'].Statement)
      .flatMap(({ Effect, Action, Resource, ...rest }) =>
        [Action]
          .flat()
          .flatMap((action) =>
            [Resource].flat().map((resource) => ({ Effect, action, resource, ...rest })),
          ),
      );
    const { table: actions, indexes = [], signingSecret, stream } = grants[name];
    const allowed = (resource: unknown, service: string, names: readonly string[]) =>
      names.map((action) => ({ Effect: 'Allow', action: `${service}:${action}`, resource }));
    const secretActions = {
      read: ['GetSecretValue'],
      rotate: ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'],
    };
    const streamActions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
    const expected = [
      ...allowed(arn(LoggingConfig.LogGroup.Ref), 'logs', ['CreateLogStream', 'PutLogEvents']),
      ...allowed('*', 'xray', ['PutTelemetryRecords', 'PutTraceSegments']),
      ...allowed(arn(table), 'dynamodb', actions),
      ...indexes.flatMap((index) =>
        allowed({ 'Fn::Join': ['', [arn(table), `/index/${index}`]] }, 'dynamodb', ['Query']),
      ),
      ...(stream ? allowed(arn(table, 'StreamArn'), 'dynamodb', streamActions) : []),
      ...(stream ? allowed(arn(queue), 'sqs', ['SendMessage']) : []),
      ...(signingSecret
        ? allowed({ Ref: secret }, 'secretsmanager', secretActions[signingSecret])
        : []),
    ];
    expect(sorted(given)).toStrictEqual(sorted(expected));
  });

  test('gets the variables that it reads and no other', () => {
    const variables = (name: (typeof functionNames)[number]) =>
      Object.keys(dev.functionOf(name).Properties['Environment']?.Variables ?? {}).sort();
    expect(variables('users.create')).toStrictEqual([
      'BASE_URL',
      'TABLE_NAME',
      'WALLET_TYPE',
      'WALLET_XPUB',
    ]);
    expect(variables('users.getMe')).toStrictEqual(['BASE_URL', 'TABLE_NAME']);
    expect(variables('sessions.create')).toStrictEqual([
      'BASE_URL',
      'SIGNING_SECRET_ID',
      'TABLE_NAME',
    ]);
    expect(variables('docs.page')).toStrictEqual(['BASE_URL']);
    expect(variables('stream.consume')).toStrictEqual(['TABLE_NAME']);
  });
});

describe('the API', () => {
  const target = ({ resources }: typeof dev, route: Resource) => {
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
    const cors = (from: typeof dev) =>
      from.ofType('AWS::ApiGatewayV2::Api')[0]?.Properties['CorsConfiguration'];
    expect(cors(dev)).toBeUndefined();
    expect(cors(prod)).toStrictEqual({
      AllowOrigins: ['https://app.example.com', 'http://localhost:5173'],
      AllowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
      AllowHeaders: ['authorization', 'content-type', 'idempotency-key'],
      ExposeHeaders: ['link', 'retry-after', 'www-authenticate', 'x-request-id'],
      MaxAge: 3600,
    });
  });

  test('is called at its custom domain alone where there is one', () => {
    const api = prod.ofType('AWS::ApiGatewayV2::Api')[0]?.Properties;
    expect(api?.['DisableExecuteApiEndpoint']).toBe(true);
    expect(prod.ofType('AWS::ApiGatewayV2::ApiMapping')).toHaveLength(1);
    expect(prod.functionOf('sessions.create').Properties['Environment'].Variables.BASE_URL).toBe(
      `https://${domainName}`,
    );
    expect(prod.outputs['BaseUrl']?.Value).toBe(`https://${domainName}`);
    expect(prod.outputs).toHaveProperty('DomainTarget');
  });
});

describe('the table', () => {
  test('is made of the shape and outlives the stack', () => {
    const { Properties, DeletionPolicy } = dev.resources[table] as Resource;
    expect(DeletionPolicy).toBe('Retain');
    expect(Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: shape.partitionKey, KeyType: 'HASH' },
        { AttributeName: shape.sortKey, KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: Object.entries(shape.indexes).map(([IndexName, index]) => ({
        IndexName,
        KeySchema: [
          { AttributeName: index.partitionKey, KeyType: 'HASH' },
          { AttributeName: index.sortKey, KeyType: 'RANGE' },
        ],
        Projection: {
          ProjectionType: index.projection,
          ...(index.attributes.length > 0 && { NonKeyAttributes: index.attributes }),
        },
      })),
      StreamSpecification: { StreamViewType: shape.stream },
      TimeToLiveSpecification: { AttributeName: shape.timeToLive, Enabled: true },
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      Replicas: [
        {
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        },
      ],
    });
  });

  test('feeds its stream to one function, and gives up on a change only into the dead letters', () => {
    const mappings = dev.ofType('AWS::Lambda::EventSourceMapping');
    expect(mappings).toHaveLength(1);
    expect(mappings[0]?.Properties).toMatchObject({
      EventSourceArn: arn(table, 'StreamArn'),
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      DestinationConfig: { OnFailure: { Destination: arn(queue) } },
      StartingPosition: 'TRIM_HORIZON',
      MaximumRetryAttempts: 100,
      MaximumRecordAgeInSeconds: 7200,
      ParallelizationFactor: 4,
    });
  });
});

describe('the signing secret', () => {
  test('is rotated every 30 days and once at the first deployment, when its function may be called', () => {
    const [rotation] = dev.ofType('AWS::SecretsManager::RotationSchedule');
    expect(rotation?.Properties).toStrictEqual({
      SecretId: { Ref: secret },
      RotationLambdaARN: arn(
        Object.keys(dev.resources).find(
          (id) => dev.resources[id] === dev.functionOf('keys.rotate'),
        ) as string,
      ),
      RotationRules: { AutomaticallyAfterDays: 30 },
      RotateImmediatelyOnUpdate: true,
    });
    const permission = dev.resources[rotation?.DependsOn?.[0] as string];
    expect(permission?.Properties).toMatchObject({
      Principal: 'secretsmanager.amazonaws.com',
      SourceAccount: { Ref: 'AWS::AccountId' },
    });
    expect(dev.resources[secret]?.DeletionPolicy).toBe('Retain');
  });

  test('is nowhere shown: the outputs are addresses and names, the variables its ARN', () => {
    expect(dev.outputs).toMatchObject({
      BaseUrl: { Value: arn(idOf(dev, 'AWS::ApiGatewayV2::Api'), 'ApiEndpoint') },
      TableName: { Value: { Ref: table } },
      OperatorFunctionName: { Value: { Ref: expect.stringMatching(/^projectsoperate/) } },
    });
    expect(Object.keys(dev.outputs)).toHaveLength(3);
    expect(JSON.stringify(dev.template)).not.toContain('resolve:secretsmanager');
  });
});

describe('alarms', () => {
  const metricsOf = ({ Properties }: Resource): string[] =>
    Properties['MetricName']
      ? [Properties['MetricName']]
      : Properties['Metrics'].flatMap(({ MetricStat }: any) => MetricStat?.Metric.MetricName ?? []);

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

describe('synthesis', () => {
  test('gives the same template for the same context', () => {
    expect(synthesise({ walletXpub: xpub }).template).toStrictEqual(dev.template);
  });

  test('fails where a rule of AwsSolutions is broken', () => {
    expect(() =>
      synthesise({ walletXpub: xpub }, (stack) => new Queue(stack, 'Unprotected')),
    ).toThrow('AwsSolutions-SQS3');
  });

  test('warns where everyone could derive the wallets', () => {
    const report = vi.spyOn(console, 'error').mockReturnValue();
    synthesise();
    expect(report.mock.calls.join()).toContain('the functions refuse the development key');
    report.mockRestore();
  });

  test('puts the configured wallet and retention into the stage', () => {
    expect(prod.stack).toMatchObject({
      stackName: 'identity-workspace-prod',
      terminationProtection: true,
    });
    const variables = prod.functionOf('users.create').Properties['Environment'].Variables;
    expect(variables).toMatchObject({ WALLET_XPUB: xpub, WALLET_TYPE: 'custodial' });
    expect(JSON.stringify(prod.template)).not.toContain(developmentXpub);
    for (const { Properties } of prod.ofType('AWS::Logs::LogGroup'))
      expect(Properties['RetentionInDays']).toBe(365);
  });

  test('stays well below the 500 resources of a stack', () => {
    expect(Object.keys(prod.resources).length).toBeLessThan(400);
  });
});

function sorted<T>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
