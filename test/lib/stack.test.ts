import { statSync } from 'node:fs';
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { Stage } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, test, vi } from 'vitest';
import { functionNames } from '../../lib/bundle.ts';
import { feeds, type FedFunction } from '../../lib/feeds.ts';
import { grants } from '../../lib/grants.ts';
import { matches } from '../../local/filter.ts';
import { routes } from '../../shared/contract/api.ts';
import { keys, shape } from '../../shared/table/shape.ts';
import { changeOf } from '../../shared/table/stream.ts';
import { developmentXpub } from '../../shared/wallet-development.ts';
import {
  arn,
  idIn,
  idLike,
  idOf,
  production,
  type Resource,
  sorted,
  synthesise,
  xpub,
} from './synthesise.ts';

const dev = synthesise({ walletXpub: xpub });
const table = idOf(dev, 'AWS::DynamoDB::GlobalTable');
const secret = idLike(dev, /^SigningSecret/);
const mailSecret = idLike(dev, /^MailSecret/);
const queue = idOf(dev, 'AWS::SQS::Queue');
const bus = idOf(dev, 'AWS::Events::EventBus');
const scheduleRole = idLike(dev, /^SchedulesRole/);

type Statement = { Effect: string; Action: string | string[]; Resource: unknown };
const onlySecretUse = {
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': 'SECRET_USE#*' },
  Null: { 'dynamodb:LeadingKeys': 'false' },
};
const pseudo = (name: string) => ({ Ref: `AWS::${name}` });
/** Every identity of this account and region, and nothing of another service. */
const identities = {
  'Fn::Join': [
    '',
    [
      'arn:',
      pseudo('Partition'),
      ':ses:',
      pseudo('Region'),
      ':',
      pseudo('AccountId'),
      ':identity/*',
    ],
  ],
};

/** Every schedule of the group of this stack. */
const schedules = {
  'Fn::Join': [
    '',
    [
      'arn:',
      pseudo('Partition'),
      ':scheduler:',
      pseudo('Region'),
      ':',
      pseudo('AccountId'),
      ':schedule/identity-workspace-dev/*',
    ],
  ],
};

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
    const policies: { PolicyDocument: { Statement: Statement[] } }[] = role?.['Policies'];
    const given = policies
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .flatMap(({ Effect, Action, Resource, ...rest }) =>
        [Action]
          .flat()
          .flatMap((action) =>
            [Resource].flat().map((resource) => ({ Effect, action, resource, ...rest })),
          ),
      );
    const {
      table: actions,
      indexes = [],
      signingSecret,
      mailSecret: mail,
      sendMail,
      secretUse,
      stream,
      publish,
      schedule,
      asynchronous,
    } = grants[name];
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
      ...(mail ? allowed({ Ref: mailSecret }, 'secretsmanager', ['GetSecretValue']) : []),
      ...(sendMail ? allowed(identities, 'ses', ['SendEmail']) : []),
      ...(publish ? allowed(arn(bus), 'events', ['PutEvents']) : []),
      ...(schedule ? allowed(schedules, 'scheduler', ['CreateSchedule']) : []),
      ...(schedule
        ? allowed(arn(scheduleRole), 'iam', ['PassRole']).map((statement) => ({
            ...statement,
            Condition: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
          }))
        : []),
      ...(asynchronous ? allowed(arn(queue), 'sqs', ['SendMessage']) : []),
      ...(secretUse
        ? allowed(arn(table), 'dynamodb', ['PutItem']).map((statement) => ({
            ...statement,
            Condition: onlySecretUse,
          }))
        : []),
    ];
    expect(sorted(given)).toStrictEqual(sorted(expected));
  });

  test('notes the use of a secret where a project may call it, and nowhere else', () => {
    const noting = functionNames.filter((name) => grants[name].secretUse);
    const called = routes.filter(({ auth }) => auth.includes('project')).map(({ name }) => name);
    expect([...noting].sort()).toStrictEqual([...called].sort());
  });

  test('has no policy beside its role, which would be a resource more', () => {
    expect(dev.ofType('AWS::IAM::Policy')).toHaveLength(0);
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
    expect(variables('stream.consume')).toStrictEqual(['EVENT_BUS', 'TABLE_NAME']);
    // No sender of the deployment is configured here.
    expect(variables('mail.send')).toStrictEqual(['MAIL_SECRET_ID', 'TABLE_NAME']);
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

  test.each([
    ['stream.consume', 25, 100, 7200],
    ['mail.send', 10, 10, 3600],
  ] as const)(
    'feeds its stream to %s, and gives up only into the dead letters',
    (name, batch, retries, age) => {
      expect(mappingOf(name)).toMatchObject({
        EventSourceArn: arn(table, 'StreamArn'),
        BatchSize: batch,
        BisectBatchOnFunctionError: true,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        DestinationConfig: { OnFailure: { Destination: arn(queue) } },
        StartingPosition: 'TRIM_HORIZON',
        MaximumRetryAttempts: retries,
        MaximumRecordAgeInSeconds: age,
        ParallelizationFactor: 4,
      });
    },
  );

  test('feeds its stream to no more functions than a shard has readers', () => {
    expect(dev.ofType('AWS::Lambda::EventSourceMapping')).toHaveLength(2);
  });
});

function mappingOf(name: FedFunction) {
  const mappings = dev
    .ofType('AWS::Lambda::EventSourceMapping')
    .filter(
      ({ Properties }) => dev.resources[Properties['FunctionName'].Ref] === dev.functionOf(name),
    );
  expect(mappings).toHaveLength(1);
  return mappings[0]?.Properties ?? {};
}

describe('the functions of the stream', () => {
  const record = (
    eventName: 'INSERT' | 'MODIFY' | 'REMOVE',
    sk: string,
    before: object,
    after: object,
  ) => ({
    eventName,
    dynamodb: {
      Keys: { pk: { S: 'x' }, sk: { S: sk } },
      ...(eventName !== 'INSERT' && { OldImage: marshall({ sk, ...before }) }),
      ...(eventName !== 'REMOVE' && { NewImage: marshall({ sk, ...after }) }),
    },
  });
  const workspace = { workspace_id: 'wid-1', total_member_count: 1 };
  const deleted = { ...workspace, deleted_at: '2026-01-01T00:00:00.000Z' };
  const { sk: mail } = keys.mail('1');

  const { sk: member } = keys.member('w', 'u');
  const { sk: invitation } = keys.invitation('w', 'u');
  const archived = { by_member_sk: 'ARCHIVED#INVITE#w' };
  const byDynamodb = { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } };

  // With whether anything but an event follows from it: what tells events cannot be told from the rest by a filter.
  test.each([
    ['a changed user', 'stream.consume', record('MODIFY', 'USER', { version: 1 }, { version: 2 })],
    ['a deleted workspace', 'stream.consume', record('MODIFY', 'WS', workspace, deleted)],
    ['a restored workspace', 'stream.consume', record('MODIFY', 'WS', deleted, workspace)],
    ['a new member', 'stream.consume', record('INSERT', member, {}, {})],
    [
      'a renamed member',
      'stream.consume',
      record('MODIFY', member, { profile: 'a' }, { profile: 'b' }),
    ],
    ['a member that is gone', 'stream.consume', record('REMOVE', member, { profile: 'a' }, {})],
    ['an invitation', 'stream.consume', record('INSERT', invitation, {}, {})],
    [
      'a restored invitation',
      'stream.consume',
      record('MODIFY', invitation, archived, { by_member_sk: 'INVITE#w' }),
    ],
    [
      'an expired invitation',
      'stream.consume',
      { ...record('REMOVE', invitation, {}, {}), ...byDynamodb },
    ],
    ['a request', 'stream.consume', record('INSERT', keys.joinRequest('w', 'u').sk, {}, {})],
    ['a new user', 'stream.consume', record('INSERT', 'USER', {}, { version: 1 }), 'events'],
    [
      'a counted member',
      'stream.consume',
      record('MODIFY', 'WS', workspace, { ...workspace, total_member_count: 2 }),
      'events',
    ],
    [
      'an archived invitation',
      undefined,
      record('MODIFY', invitation, { by_member_sk: 'INVITE#w' }, archived),
    ],
    ['a revoked invitation', undefined, record('REMOVE', invitation, {}, {})],
    ['a rotated session', undefined, record('MODIFY', 'SESSION#1', { counter: 1 }, { counter: 2 })],
    ['a new mail', 'mail.send', record('INSERT', mail, {}, { mail_id: '1' })],
    ['a sent mail', undefined, record('MODIFY', mail, {}, { sent_at: 'x' })],
    ['an expired mail', undefined, record('REMOVE', mail, {}, {})],
  ] as const)('%s calls %s and no other', (_, called, change, only?: 'events') => {
    const names = Object.keys(feeds) as FedFunction[];
    const calls = names.filter((name) => {
      const filters: { Pattern: string }[] = mappingOf(name)['FilterCriteria'].Filters;
      // AWS quota of an event source mapping.
      expect(filters.length).toBeLessThanOrEqual(5);
      return filters.some(({ Pattern }) => matches(JSON.parse(Pattern), change));
    });
    expect(calls).toStrictEqual(called ? [called] : []);
    const consumes = changeOf(change as unknown as DynamoDBRecord) !== undefined;
    expect(consumes).toBe(called === 'stream.consume' && only === undefined);
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
      EventBusName: { Value: { Ref: bus } },
      OperatorFunctionName: { Value: { Ref: expect.stringMatching(/^projectsoperate/) } },
    });
    expect(Object.keys(dev.outputs)).toHaveLength(4);
    expect(JSON.stringify(dev.template)).not.toContain('resolve:secretsmanager');
  });
});

describe('the secret of the mails', () => {
  test('is random text of 64 characters that nothing rotates and no deletion takes', () => {
    const { Properties, DeletionPolicy } = dev.resources[mailSecret] as Resource;
    expect(Properties).toMatchObject({
      GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
    });
    expect(Properties).not.toHaveProperty('SecretString');
    expect(DeletionPolicy).toBe('Retain');
    const rotated = dev
      .ofType('AWS::SecretsManager::RotationSchedule')
      .map((schedule) => schedule.Properties['SecretId'].Ref);
    expect(rotated).toStrictEqual([secret]);
  });

  test('is read by whoever derives from it, and the sender of the deployment by whoever sends', () => {
    const { Variables } = synthesise(production).functionOf('mail.send').Properties['Environment'];
    expect(Variables).toMatchObject({
      MAIL_SECRET_ID: { Ref: mailSecret },
      MAIL_SENDER: 'no-reply@example.com',
    });
    expect(grants['mail.send']).toMatchObject({ mailSecret: 'read', sendMail: true, stream: true });
    expect(grants['mail.send']).not.toHaveProperty('signingSecret');
    expect(functionNames.filter((name) => grants[name].sendMail)).toStrictEqual(['mail.send']);
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
    expect(Object.keys(dev.resources).length).toBeLessThan(450);
  });

  test('stays well below the megabyte of a template', () => {
    const file = join(Stage.of(dev.stack)?.outdir ?? '', dev.stack.templateFile);
    expect(statSync(file).size).toBeLessThan(700_000);
  });
});
