import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { type QueueFed, queueSources } from '../../lib/functions.ts';
import { matches } from '../../local/aws/filter.ts';
import { keys } from '../../shared/db/keys.ts';
import { sortByProject } from '../../shared/events/queue-sort.ts';
import { changeOf } from '../../shared/events/table-changes.ts';
import { arn, deadLettersOf, idOf, synthesise, xpub } from './synthesise.ts';

const dev = synthesise({ walletXpub: xpub });
const table = idOf(dev, 'AWS::DynamoDB::GlobalTable');

function mappingOf(name: 'stream.sort' | QueueFed) {
  const mappings = dev
    .ofType('AWS::Lambda::EventSourceMapping')
    .filter(({ Properties }) => Properties['FunctionName'].Ref === dev.functionId(name));
  expect(mappings).toHaveLength(1);
  return mappings[0]?.Properties ?? {};
}

describe('the table', () => {
  test('feeds its stream to stream.sort, and failed records to the dead letters', () => {
    expect(mappingOf('stream.sort')).toMatchObject({
      EventSourceArn: arn(table, 'StreamArn'),
      BatchSize: 100,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      DestinationConfig: { OnFailure: { Destination: arn(deadLettersOf(dev)) } },
      StartingPosition: 'TRIM_HORIZON',
      MaximumRetryAttempts: -1,
      MaximumRecordAgeInSeconds: 86_400,
      ParallelizationFactor: 4,
    });
  });

  test('feeds its stream to one function only', () => {
    const ofStream = dev
      .ofType('AWS::Lambda::EventSourceMapping')
      .filter(({ Properties }) => Properties['StartingPosition']);
    expect(ofStream).toHaveLength(1);
  });
});

describe('a queue of the stream', () => {
  test.each([
    ['stream.consume', 10, 180, 1_209_600, 50],
    ['mail.send', 1, 90, 604_800, 20],
  ] as const)(
    'feeds %s with at most %i messages per batch, in the order of their group',
    (name, BatchSize, visibility, retention, concurrency) => {
      const mapping = mappingOf(name);
      expect(mapping).toMatchObject({
        BatchSize,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: concurrency },
      });
      const [id] = mapping['EventSourceArn']['Fn::GetAtt'] as [string];
      expect(dev.resources[id]?.Properties).toMatchObject({
        FifoQueue: true,
        DeduplicationScope: 'messageGroup',
        FifoThroughputLimit: 'perMessageGroupId',
        SqsManagedSseEnabled: true,
        VisibilityTimeout: visibility,
        MessageRetentionPeriod: retention,
      });
      // Otherwise Lambda rejects the mapping.
      const { Timeout } = dev.functionOf(name).Properties as { Timeout: number };
      expect(visibility).toBeGreaterThanOrEqual(Timeout);
    },
  );
});

// SQS does not count a repeatedly failing message in the age of its oldest message.
test.each(Object.keys(queueSources))(
  'a message that %s can never process raises an alarm',
  (name) => {
    const watched = dev
      .ofType('AWS::CloudWatch::Alarm')
      .filter(({ Properties }) => Properties['MetricName'] === 'Errors')
      .map(({ Properties }) => Properties);
    const dimension = { Name: 'FunctionName', Value: { Ref: dev.functionId(name) } };
    expect(watched).toContainEqual(
      expect.objectContaining({
        Dimensions: [dimension],
        Threshold: 0,
        ComparisonOperator: 'GreaterThanThreshold',
        EvaluationPeriods: 1,
      }),
    );
  },
);

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
  const asMember = { by_member_sk: 'MEMBER#w' };
  const { sk: invitation } = keys.invitation('w', 'u');
  const archived = { by_member_sk: 'ARCHIVED#INVITE#w' };
  const byDynamodb = { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } };

  // With whether it causes other work than an event: a filter cannot distinguish writes that only carry events.
  test.each([
    ['a changed user', 'stream.consume', record('MODIFY', 'USER', { version: 1 }, { version: 2 })],
    ['a deleted workspace', 'stream.consume', record('MODIFY', 'WS', workspace, deleted)],
    ['a restored workspace', 'stream.consume', record('MODIFY', 'WS', deleted, workspace)],
    ['a new member', 'stream.consume', record('INSERT', member, {}, {})],
    [
      'a renamed member',
      'stream.consume',
      record('MODIFY', member, { ...asMember, profile: 'a' }, { ...asMember, profile: 'b' }),
    ],
    [
      'a restored member',
      'stream.consume',
      record(
        'MODIFY',
        member,
        { by_member_sk: 'ARCHIVED#MEMBER#w', profile: 'a' },
        { ...asMember, profile: 'a' },
      ),
    ],
    [
      'an archived member',
      undefined,
      record('MODIFY', member, asMember, { by_member_sk: 'ARCHIVED#MEMBER#w' }),
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
    [
      'a session renewed on another day',
      'stream.consume',
      record(
        'MODIFY',
        'SESSION#1',
        { project_id: 'p', uid: 'u', rotated_at: '2026-11-21T23:59:59.999Z' },
        { project_id: 'p', uid: 'u', rotated_at: '2026-11-22T00:00:00.000Z' },
      ),
      'events',
    ],
    ['a new mail', 'mail.send', record('INSERT', mail, {}, { mail_id: '1' })],
    ['a sent mail', undefined, record('MODIFY', mail, {}, { sent_at: 'x' })],
    ['an expired mail', undefined, record('REMOVE', mail, {}, {})],
  ] as const)('%s calls %s and nothing else', (_, called, change, only?: 'events') => {
    const filters: { Pattern: string }[] = mappingOf('stream.sort')['FilterCriteria'].Filters;
    // AWS quota of an event source mapping.
    expect(filters.length).toBeLessThanOrEqual(5);
    const comes = filters.some(({ Pattern }) => matches(JSON.parse(Pattern), change));
    const brought = change as unknown as DynamoDBRecord;
    const sent = comes ? sortByProject([brought], () => {}).map(({ queue }) => queue) : [];
    expect(sent).toStrictEqual(called ? [queueSources[called].queue] : []);
    const consumes = changeOf(brought) !== undefined;
    expect(consumes).toBe(called === 'stream.consume' && only === undefined);
  });
});
