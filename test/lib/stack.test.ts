import { marshall } from '@aws-sdk/util-dynamodb';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, test, vi } from 'vitest';
import { functionNames } from '../../lib/bundle.ts';
import { grants } from '../../lib/grants.ts';
import { shape } from '../../shared/table/shape.ts';
import { changeOf } from '../../shared/table/stream.ts';
import { developmentXpub } from '../../shared/wallet-development.ts';
import {
  arn,
  idIn,
  idOf,
  production,
  type Resource,
  sorted,
  synthesise,
  xpub,
} from './synthesise.ts';

const dev = synthesise({ walletXpub: xpub });
const table = idOf(dev, 'AWS::DynamoDB::GlobalTable');
const secret = idOf(dev, 'AWS::SecretsManager::Secret');
const queue = idOf(dev, 'AWS::SQS::Queue');

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

/** Whether an event filter of Lambda lets a record through, for the patterns that the stack uses. */
function passes(pattern: unknown, value: unknown): boolean {
  if (Array.isArray(pattern))
    return pattern.some((one) => one === value || (one.exists === true && value !== undefined));
  return Object.entries(pattern as object).every(([key, inner]) =>
    passes(inner, (value as Record<string, unknown> | undefined)?.[key]),
  );
}

describe('the stream function', () => {
  const record = (eventName: 'INSERT' | 'MODIFY', sk: string, before: object, after: object) => ({
    eventName,
    dynamodb: {
      Keys: { pk: { S: 'x' }, sk: { S: sk } },
      ...(eventName === 'MODIFY' && { OldImage: marshall({ sk, ...before }) }),
      NewImage: marshall({ sk, ...after }),
    },
  });
  const workspace = { workspace_id: 'wid-1', total_member_count: 1 };

  test.each([
    ['a changed user', true, record('MODIFY', 'USER', { version: 1 }, { version: 2 })],
    [
      'a deleted workspace',
      true,
      record('MODIFY', 'WS', workspace, { ...workspace, deleted_at: '2026-01-01T00:00:00.000Z' }),
    ],
    ['a new user', false, record('INSERT', 'USER', {}, { version: 1 })],
    [
      'a counted member',
      false,
      record('MODIFY', 'WS', workspace, { ...workspace, total_member_count: 2 }),
    ],
    ['a rotated session', false, record('MODIFY', 'SESSION#1', { counter: 1 }, { counter: 2 })],
  ] as const)('is called for what has consequences and nothing else: %s', (_, called, change) => {
    const mapping = dev.ofType('AWS::Lambda::EventSourceMapping')[0]?.Properties;
    const filters: { Pattern: string }[] = mapping?.['FilterCriteria'].Filters;
    expect(filters.some(({ Pattern }) => passes(JSON.parse(Pattern), change))).toBe(called);
    expect(changeOf(change as DynamoDBRecord) !== undefined).toBe(called);
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
    const prod = synthesise(production);
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
    expect(Object.keys(dev.resources).length).toBeLessThan(400);
  });
});
