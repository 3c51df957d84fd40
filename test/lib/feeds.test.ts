import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { feeds, type FedFunction } from '../../lib/feeds.ts';
import { matches } from '../../local/filter.ts';
import { keys } from '../../shared/table/shape.ts';
import { changeOf } from '../../shared/table/stream.ts';
import { arn, idOf, synthesise, xpub } from './synthesise.ts';

const dev = synthesise({ walletXpub: xpub });
const table = idOf(dev, 'AWS::DynamoDB::GlobalTable');
const queue = idOf(dev, 'AWS::SQS::Queue');

function mappingOf(name: FedFunction) {
  const mappings = dev
    .ofType('AWS::Lambda::EventSourceMapping')
    .filter(
      ({ Properties }) => dev.resources[Properties['FunctionName'].Ref] === dev.functionOf(name),
    );
  expect(mappings).toHaveLength(1);
  return mappings[0]?.Properties ?? {};
}

describe('the table', () => {
  test.each([
    ['stream.consume', 25, -1, 86_400],
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
