import { describe, expect, test } from 'vitest';
import { reservedSuffixes } from '../../lib/config.ts';
import { lambdaNameOf } from '../../lib/function-names.ts';
import { domains, functionNames, grants, isEndpoint, variablesOf } from '../../lib/functions.ts';
import {
  onPartitions,
  type Partition,
  partitionOf,
  partitions,
  type SecretName,
  verbs,
  writes,
} from '../../lib/grant.ts';
import { routes } from '../../shared/contract/api.ts';
import { keys } from '../../shared/db/keys.ts';
import {
  arn,
  deadLettersOf,
  idIn,
  idLike,
  idOf,
  production,
  sorted,
  synthesise,
  xpub,
} from './synthesise.ts';

const dev = synthesise({ walletXpub: xpub });
const table = idOf(dev, 'AWS::DynamoDB::GlobalTable');
const queue = deadLettersOf(dev);
const queues = {
  changes: idLike(dev, /^StreamChanges[0-9A-F]{8}$/),
  mails: idLike(dev, /^StreamMails[0-9A-F]{8}$/),
};
const bus = idOf(dev, 'AWS::Events::EventBus');
const scheduleRole = idLike(dev, /^SchedulesRole/);

type Statement = { Effect: string; Action: string | string[]; Resource: unknown };
const onlyPartitions = (patterns: string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});
const pseudo = (name: string) => ({ Ref: `AWS::${name}` });
/** An ARN in this account and region. */
const ours = (service: string, ...name: unknown[]) => ({
  'Fn::Join': [
    '',
    [
      ...['arn:', pseudo('Partition'), `:${service}:`, pseudo('Region'), ':', pseudo('AccountId')],
      ...name,
    ],
  ],
});
/** All SES identities, and no other resource. */
const identities = ours('ses', ':identity/*');
/** The configuration set of this stack. */
const configurationSet = ours('ses', ':configuration-set/', {
  Ref: idOf(dev, 'AWS::SES::ConfigurationSet'),
});
const secretLike = (pattern: RegExp) => ({ Ref: idLike(dev, pattern) });
const secretArns: Record<SecretName, object> = {
  signing: secretLike(/^SigningSecret/),
  mail: secretLike(/^MailSecret/),
  webhook: secretLike(/^WebhookSecret/),
  factor: secretLike(/^FactorSecret/),
  captcha: secretLike(/^CaptchaSecret/),
  // Client secrets at identity providers, which operators of this stack set.
  providers: ours('secretsmanager', ':secret:identity-workspace-dev/sign-in-providers/*'),
  providerToken: secretLike(/^ProviderTokenSecret/),
};
/** The streams of a log group. */
const streamsOf = (id: string) =>
  ours('logs', `:log-group:${dev.resources[id]?.Properties['LogGroupName']}:*`);
/** Every schedule of the group of this stack. */
const schedules = ours('scheduler', ':schedule/identity-workspace-dev/*');

describe('every function', () => {
  test('exists once, with a role of its own and the log group of its domain', () => {
    const functions = functionNames.map((name) => dev.functionOf(name).Properties);
    expect(dev.ofType('AWS::Lambda::Function')).toHaveLength(functionNames.length);
    expect(new Set(functions.map(({ Role }) => idIn(Role))).size).toBe(functionNames.length);
    const grouped = Object.entries(domains).flatMap(([domain, { endpoints, jobs }]) => {
      const names = [...Object.keys(endpoints), ...Object.keys(jobs)];
      for (const name of names) {
        const { LoggingConfig } = dev.functionOf(name).Properties;
        expect(dev.resources[LoggingConfig.LogGroup.Ref]?.Properties, name).toEqual({
          LogGroupName: `/identity-workspace-dev/${domain}`,
          RetentionInDays: 30,
        });
      }
      return names;
    });
    expect(grouped.sort()).toStrictEqual([...functionNames].sort());
  });

  test('has a name of its stage, group and verb, if it is an endpoint', () => {
    expect(dev.functionOf('members.add').Properties['FunctionName']).toBe(
      'identity-workspace-dev-members-add',
    );
    expect(dev.functionOf('workspaces.setAllowedDomains').Properties['FunctionName']).toBe(
      'identity-workspace-dev-workspaces-set-allowed-domains',
    );
    // A stage name has at most 16 letters, and Lambda allows 64 for a function name.
    const longest = 'identity-workspace-abcdefghijklmnop';
    const endpoints = functionNames.filter(isEndpoint);
    const names = endpoints.map((name) => lambdaNameOf(longest, name));
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9-]{0,63}$/);
    expect(new Set(names).size).toBe(routes.length + 1);
    expect(lambdaNameOf(longest, 'workspaces.setAllowedDomains')).toMatch(
      /^identity-workspace-abcdefghijklmnop-workspaces-set-al\w*-[0-9a-f]{6}$/,
    );
  });

  test('has a name of no other stage, because a stage must not end in a reserved suffix', () => {
    const kebab = functionNames.filter(isEndpoint).map((name) => lambdaNameOf('', name));
    const beginnings = kebab.flatMap((name) =>
      kebab.flatMap((end) =>
        name !== end && name.endsWith(end) ? name.slice(0, -end.length) : [],
      ),
    );
    expect([...new Set(beginnings)].sort()).toEqual(reservedSuffixes);
  });

  test('has no fixed name if it is a job', () => {
    const named = functionNames.filter(
      (name) => dev.functionOf(name).Properties['FunctionName'] !== undefined,
    );
    expect(named).toStrictEqual(functionNames.filter(isEndpoint));
  });

  test.each(functionNames)('%s runs on Node 24 and ARM, with tracing', (name) => {
    expect(dev.functionOf(name).Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      TracingConfig: { Mode: 'Active' },
    });
  });

  test('has no tracing and no permission for it, if the settings turn it off', () => {
    const { ofType } = synthesise({ walletXpub: xpub, tracing: false });
    for (const { Properties } of ofType('AWS::Lambda::Function'))
      expect(Properties['TracingConfig']).toBeUndefined();
    expect(JSON.stringify(ofType('AWS::IAM::Role'))).not.toContain('xray:');
  });

  test.each(functionNames)('%s may do what its grant says, and nothing else', (name) => {
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
      indexes = [],
      secrets = {},
      sendMail,
      stream,
      takes,
      sends,
      publish,
      schedule,
      asynchronous,
      setsAside,
    } = grants[name];
    const allowed = (resource: unknown, service: string, names: readonly string[]) =>
      names.map((action) => ({ Effect: 'Allow', action: `${service}:${action}`, resource }));
    const secretActions = {
      read: ['GetSecretValue'],
      rotate: ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'],
    };
    const streamActions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
    const queueActions = [
      'ChangeMessageVisibility',
      'DeleteMessage',
      'GetQueueAttributes',
      'ReceiveMessage',
    ];
    const expected = [
      ...allowed(streamsOf(LoggingConfig.LogGroup.Ref), 'logs', [
        'CreateLogStream',
        'PutLogEvents',
      ]),
      ...allowed('*', 'xray', ['PutTelemetryRecords', 'PutTraceSegments']),
      ...onPartitions(grants[name]).flatMap(({ actions, patterns }) =>
        allowed(arn(table), 'dynamodb', actions).map((statement) => ({
          ...statement,
          Condition: onlyPartitions(patterns),
        })),
      ),
      ...indexes.flatMap((index) =>
        allowed({ 'Fn::Join': ['', [arn(table), `/index/${index}`]] }, 'dynamodb', ['Query']),
      ),
      ...(stream ? allowed(arn(table, 'StreamArn'), 'dynamodb', streamActions) : []),
      ...(stream ? [queues.changes, queues.mails] : []).flatMap((id) =>
        allowed(arn(id), 'sqs', ['SendMessage']),
      ),
      ...(takes ? allowed(arn(queues[takes]), 'sqs', queueActions) : []),
      ...(sends ? allowed(arn(queues[sends]), 'sqs', ['SendMessage']) : []),
      ...Object.entries(secrets).flatMap(([secret, use]) =>
        allowed(
          secretArns[secret as SecretName],
          'secretsmanager',
          secret === 'signing' ? secretActions[use] : secretActions.read,
        ),
      ),
      ...(sendMail ? [identities, configurationSet] : []).flatMap((resource) =>
        allowed(resource, 'ses', ['SendEmail']),
      ),
      ...(publish ? allowed(arn(bus), 'events', ['PutEvents']) : []),
      ...(schedule ? allowed(schedules, 'scheduler', ['CreateSchedule']) : []),
      ...(schedule
        ? allowed(arn(scheduleRole), 'iam', ['PassRole']).map((statement) => ({
            ...statement,
            Condition: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
          }))
        : []),
      ...(asynchronous || setsAside ? allowed(arn(queue), 'sqs', ['SendMessage']) : []),
    ];
    expect(sorted(given)).toStrictEqual(sorted(expected));
  });

  test('cannot write keys or projects, except keys.rotate and projects.admin', () => {
    const writing = (partition: Partition) =>
      functionNames.filter((name) =>
        writes.some((verb) => grants[name][verb]?.includes(partition)),
      );
    expect(writing('keys')).toEqual(['keys.rotate']);
    expect(writing('projects')).toEqual(['projects.admin']);
  });

  test('can record the use of a secret if a project may call it, and only then', () => {
    const noting = functionNames.filter((name) => grants[name].put?.includes('secretUses'));
    const called = routes.filter(({ auth }) => auth.includes('project')).map(({ name }) => name);
    expect([...noting].sort()).toStrictEqual([...called].sort());
  });

  test.each(functionNames)('%s: its policies fit into a role, with any resource names', (name) => {
    const { Role } = dev.functionOf(name).Properties;
    const text = JSON.stringify(dev.resources[idIn(Role)]?.Properties['Policies']);
    // IAM counts 10,240 characters without blanks. A reference becomes an ARN, which is at most 150 longer.
    const references = text.match(/"(?:Ref|Fn::GetAtt)"/g)?.length ?? 0;
    expect(text.length + 150 * references).toBeLessThan(10_240);
  });

  test('has its policies inside its role, which saves a resource', () => {
    expect(dev.ofType('AWS::IAM::Policy')).toHaveLength(0);
  });

  test('has the time of its route, and finishes before the timeout of API Gateway', () => {
    for (const { name, time = 2_500 } of routes) {
      const { Timeout } = dev.functionOf(name).Properties;
      expect(Timeout * 1_000, name).toBeGreaterThanOrEqual(time + 1_000);
      expect(Timeout, name).toBeLessThan(30);
    }
    expect(dev.functionOf('users.getMe').Properties['Timeout']).toBe(4);
    expect(dev.functionOf('invitations.create').Properties['Timeout']).toBe(22);
  });

  test('has the digests of the trusted proxy if it is an endpoint, and no secret', () => {
    const prod = synthesise(production);
    for (const name of functionNames) {
      const variables = prod.functionOf(name).Properties['Environment']?.Variables ?? {};
      expect(variables['TRUSTED_PROXY_SHA256'], name).toBe(
        isEndpoint(name) ? `${'0'.repeat(64)},${'1'.repeat(64)}` : undefined,
      );
      expect(variables['TRUSTED_PROXY_ONLY'], name).toBe(isEndpoint(name) ? 'true' : undefined);
    }
  });

  // test/lib/bundle.test.ts compares `variablesOf` with the code.
  test('gets only the variables that it reads, without those of settings that are not set', () => {
    const ofSettings = /^(?:MAIL_SENDER|TRUSTED_PROXY_\w+)$/;
    for (const name of functionNames) {
      const { Variables = {} } = dev.functionOf(name).Properties['Environment'] ?? {};
      const read = variablesOf(name).filter((variable) => !ofSettings.test(variable));
      expect(Object.keys(Variables).sort(), name).toStrictEqual([...new Set(read)].sort());
    }
  });
});

describe('the statements on the table', () => {
  test('name each action once, so that all keys of a batch are allowed by one statement', () => {
    const all = onPartitions({
      get: ['workspaces', 'users'],
      check: ['users', 'workspaces'],
      put: ['users'],
      delete: [],
    });
    expect(all).toEqual([
      { actions: ['GetItem', 'BatchGetItem', 'ConditionCheckItem'], patterns: ['USER#*', 'WS#*'] },
      { actions: ['PutItem'], patterns: ['USER#*'] },
    ]);
  });

  test('match every key of the table with one partition', () => {
    const account = { project_id: 'a', email: 'b' };
    const { passwordTries, apiKey, ...others } = keys;
    const made = [
      ['passwordTries', passwordTries(account).pk],
      ['apiKey', apiKey(keys.user('a'), 'b').pk],
      ...Object.entries(others).map(([name, key]) => [
        name,
        // For any arguments, keys begin with their kind.
        (key as (...args: unknown[]) => { pk: string })('a', 'b', 'c').pk,
      ]),
    ];
    for (const [name = '', pk = ''] of made) {
      const fitting = Object.values(partitions).filter((pattern) =>
        pattern.endsWith('*') ? pk.startsWith(pattern.slice(0, -1)) : pk === pattern,
      );
      expect(fitting, name).toHaveLength(1);
    }
    const kinds = made.map(([, pk = '']) => partitionOf(pk) ?? '');
    expect([...new Set<string>(kinds)].sort()).toEqual(Object.keys(partitions).sort());
    expect(partitionOf('KEYS#1')).toBeUndefined();
    expect(partitionOf('')).toBeUndefined();
  });

  test('know every action that reads or writes items', () => {
    expect(Object.values(verbs).flat().sort()).toEqual([
      ...['BatchGetItem', 'BatchWriteItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem'],
      ...['PutItem', 'Query', 'UpdateItem'],
    ]);
  });
});
