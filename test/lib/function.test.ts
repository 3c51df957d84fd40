import { describe, expect, test } from 'vitest';
import { functionNames } from '../../lib/bundle.ts';
import { grants, keptFrom, type TableAction } from '../../lib/grants.ts';
import { routes } from '../../shared/contract/api.ts';
import { arn, idIn, idLike, idOf, sorted, synthesise, xpub } from './synthesise.ts';

const dev = synthesise({ walletXpub: xpub });
const table = idOf(dev, 'AWS::DynamoDB::GlobalTable');
const secret = idLike(dev, /^SigningSecret/);
const mailSecret = idLike(dev, /^MailSecret/);
const webhookSecret = idLike(dev, /^WebhookSecret/);
const queue = idOf(dev, 'AWS::SQS::Queue');
const bus = idOf(dev, 'AWS::Events::EventBus');
const scheduleRole = idLike(dev, /^SchedulesRole/);

const isWrite = (action: TableAction) => /^(?:Put|Update|Delete|BatchWrite)Item$/.test(action);
type Statement = { Effect: string; Action: string | string[]; Resource: unknown };
const onlyPartitions = (pattern: string) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': pattern },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});
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

  test('is traced no more, and may not be, where the settings say so', () => {
    const { ofType } = synthesise({ walletXpub: xpub, tracing: false });
    for (const { Properties } of ofType('AWS::Lambda::Function'))
      expect(Properties['TracingConfig']).toBeUndefined();
    expect(JSON.stringify(ofType('AWS::IAM::Role'))).not.toContain('xray:');
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
      webhookSecret: hooks,
      sendMail,
      secretUse,
      idempotency,
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
    const recordActions = ['PutItem', 'UpdateItem', 'DeleteItem'];
    const streamActions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
    const expected = [
      ...allowed(arn(LoggingConfig.LogGroup.Ref), 'logs', ['CreateLogStream', 'PutLogEvents']),
      ...allowed('*', 'xray', ['PutTelemetryRecords', 'PutTraceSegments']),
      ...allowed(arn(table), 'dynamodb', actions),
      ...allowed(arn(table), 'dynamodb', actions.filter(isWrite)).map((statement) => ({
        ...statement,
        Effect: 'Deny',
        Condition: { 'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': keptFrom(grants[name]) } },
      })),
      ...indexes.flatMap((index) =>
        allowed({ 'Fn::Join': ['', [arn(table), `/index/${index}`]] }, 'dynamodb', ['Query']),
      ),
      ...(stream ? allowed(arn(table, 'StreamArn'), 'dynamodb', streamActions) : []),
      ...(stream ? allowed(arn(queue), 'sqs', ['SendMessage']) : []),
      ...(signingSecret
        ? allowed({ Ref: secret }, 'secretsmanager', secretActions[signingSecret])
        : []),
      ...(mail ? allowed({ Ref: mailSecret }, 'secretsmanager', ['GetSecretValue']) : []),
      ...(hooks ? allowed({ Ref: webhookSecret }, 'secretsmanager', ['GetSecretValue']) : []),
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
            Condition: onlyPartitions('SECRET_USE#*'),
          }))
        : []),
      ...(idempotency
        ? allowed(arn(table), 'dynamodb', recordActions).map((statement) => ({
            ...statement,
            Condition: onlyPartitions('IDEMPOTENCY#*'),
          }))
        : []),
    ];
    expect(sorted(given)).toStrictEqual(sorted(expected));
  });

  test('cannot make keys or projects, but the one that rotates and the one that operates', () => {
    const keepers = { 'keys.rotate': ['PROJECT#*'], 'projects.operate': ['KEYS'] };
    for (const name of functionNames)
      expect(keptFrom(grants[name])).toEqual(
        keepers[name as keyof typeof keepers] ?? ['KEYS', 'PROJECT#*'],
      );
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
    expect(variables('webhooks.create')).toStrictEqual([
      'BASE_URL',
      'TABLE_NAME',
      'WEBHOOK_SECRET_ID',
    ]);
    // No sender of the deployment is configured here.
    expect(variables('mail.send')).toStrictEqual(['MAIL_SECRET_ID', 'TABLE_NAME']);
  });
});
