/** @module-tag alone */
import { randomUUID } from 'node:crypto';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, SQSEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { continuationOf, recordsOf } from '#shared/events/queue-sort.ts';
import { invoke } from '../../../local/aws/lambda.ts';
import { fromSource } from '../../../local/load.ts';
import { logged } from '../../support/log.ts';
import { failedOf, streamRecord } from '../../support/stream-record.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const handler = await fromSource('stream.sort');
world.permissions.useStream('stream.sort');

type Given = { queue: string; group: string; records: DynamoDBRecord[] };
let given: Given[];
beforeEach(() => {
  given = [];
  for (const queue of ['changes', 'mails'] as const)
    world.queues.feed(queue, async ({ Records }: SQSEvent) => {
      for (const { body, attributes } of Records)
        given.push({ queue, group: attributes.MessageGroupId ?? '', records: recordsOf(body) });
    });
});

let number = 0;
/** A record of a project's item with a new sequence number. */
function record(project_id: string, item: object = {}, before?: object): DynamoDBRecord {
  number += 1;
  const image = { ...keys.user('u'), project_id, ...item };
  return streamRecord({ before: before && { ...image, ...before }, after: image }, number);
}
const mail = (project_id: string) => record(project_id, keys.mail(randomUUID()));
const numbersOf = (records: DynamoDBRecord[]) =>
  records.map(({ dynamodb }) => Number(dynamodb?.SequenceNumber));

/** Sorts records and waits for the consumers. Resolves with those that it reported as failed. */
async function sorted(Records: DynamoDBRecord[], more = {}): Promise<string[]> {
  const answer = await invoke('stream.sort', handler, { Records, ...more }, 30_000);
  await world.queues.workedOff();
  return failedOf(answer);
}

test('forwards a session only if it was refreshed on another day than before', async () => {
  const session = (rotated_at: string, before?: string) =>
    record(
      'one',
      { ...keys.session('u', 's'), uid: 'u', rotated_at },
      before === undefined ? undefined : { rotated_at: before },
    );
  const next = session('2026-11-22T00:00:00.000Z', '2026-11-21T23:59:59.999Z');
  const again = session('2026-11-22T08:10:00.000Z', '2026-11-22T08:00:00.000Z');
  const revoked = session('2026-11-22T08:10:00.000Z', '2026-11-22T08:10:00.000Z');
  const user = record('one');
  expect(await sorted([session('2026-11-22T07:00:00.000Z'), again, next, revoked, user])).toEqual(
    [],
  );
  expect(numbersOf(given.flatMap(({ records }) => records))).toEqual(numbersOf([next, user]));
});

test('does not forward a user if only the number of memberships changed', async () => {
  const user = { version: 3, event_count: 2, workspace_count: 4 };
  const counted = record('one', user, { workspace_count: 5 });
  const withEvent = record('one', user, { workspace_count: 5, event_count: 1 });
  const renamed = record('one', user, { workspace_count: 5, version: 2 });
  const owner = record('one', { ...user, owned_workspace_count: 1 }, { owned_workspace_count: 2 });
  const fresh = record('one', { ...user, workspace_count: 0 });
  const workspace = record('one', { ...keys.workspace('w'), ...user }, { workspace_count: 5 });
  await sorted([counted, withEvent, renamed, owner, fresh, workspace]);
  expect(numbersOf(given.flatMap(({ records }) => records))).toEqual(
    numbersOf([withEvent, renamed, owner, fresh, workspace]),
  );
});

test('keeps the order of a project, in messages of 25 records at most', async () => {
  const records = Array.from({ length: 60 }, (_, i) => record(i % 6 === 0 ? 'two' : 'one'));
  expect(await sorted(records)).toEqual([]);
  for (const project of ['one', 'two']) {
    const messages = given.filter(({ group }) => group === project);
    const expected = records.filter(
      ({ dynamodb }) => dynamodb?.NewImage?.['project_id']?.S === project,
    );
    expect(messages.flatMap((each) => numbersOf(each.records))).toEqual(numbersOf(expected));
    expect(messages.map(({ queue }) => queue)).toEqual(messages.map(() => 'changes'));
  }
  expect(given.map(({ records: { length } }) => length).toSorted((a, b) => a - b)).toEqual([
    10, 25, 25,
  ]);
});

test('sends new mails to a queue of their own, in a few parallel groups of a project', async () => {
  await sorted([record('one'), ...Array.from({ length: 40 }, () => mail('one')), mail('two')]);
  const mails = given.filter(({ queue }) => queue === 'mails');
  expect(mails.flatMap(({ records }) => records)).toHaveLength(41);
  const groups = new Set(mails.map(({ group }) => group).filter((each) => each.startsWith('one.')));
  expect(groups.size).toBeGreaterThan(1);
  expect(groups.size).toBeLessThanOrEqual(4);
  expect(given.filter(({ queue }) => queue === 'changes')).toHaveLength(1);
});

test('mails to the members of a workspace share one group, and delay no other mail', async () => {
  const toMember = () =>
    record('one', { ...keys.mail(randomUUID()), kind: 'second_factor_required' });
  const toMembers = Array.from({ length: 40 }, toMember);
  const codes = Array.from({ length: 40 }, () =>
    record('one', { ...keys.mail(randomUUID()), kind: 'sign_in_code' }),
  );
  await sorted([...toMembers, ...codes]);
  const [ofMembers, others] = [true, false].map((is) =>
    given.filter(({ group }) => (group === 'one.members') === is),
  );
  expect(ofMembers?.flatMap(({ records }) => numbersOf(records))).toEqual(numbersOf(toMembers));
  expect(others?.flatMap(({ records }) => records)).toHaveLength(40);
  expect(new Set(given.map(({ queue }) => queue))).toEqual(new Set(['mails']));
});

test('a message has what the consumers read, without previous events', async () => {
  const current = { events: [{ id: 'evt-1' }], event_count: 2 };
  const before = { events: [{ id: 'evt-0' }], event_count: 1 };
  const sent = { ...record('one', current, before), userIdentity: { type: 'Service' } };
  await sorted([sent]);
  const [
    {
      records: [came],
    } = { records: [] },
  ] = given;
  expect(came).toEqual({
    eventID: sent.eventID,
    eventName: 'MODIFY',
    userIdentity: { type: 'Service' },
    dynamodb: {
      SequenceNumber: sent.dynamodb?.SequenceNumber,
      Keys: sent.dynamodb?.Keys,
      NewImage: sent.dynamodb?.NewImage,
      OldImage: marshall({ ...keys.user('u'), project_id: 'one', event_count: 1 }),
    },
  });
});

test('characters that SQS refuses are escaped, and arrive as they were', async () => {
  const odd = record('one', { display_name: 'Ada \ufffe\uffff' });
  expect(await sorted([odd])).toEqual([]);
  expect(given[0]?.records[0]?.dynamodb?.NewImage).toEqual(odd.dynamodb?.NewImage);
  expect(continuationOf(odd).body).not.toMatch(/[\ufffe\uffff]/);
});

// A group of messages has no spaces: SQS refuses the whole call.
test.each(['one', 'no group'])(
  'a record that its queue can never accept is a dead letter, and holds up no other: of %s',
  async (project) => {
    const records = [
      record(project, { display_name: 'Ada \uffff ä' }),
      record('one'),
      record('two'),
    ];
    const before = world.queues.deadLetters.length;
    const code = 'InvalidMessageContents';
    // As often as it is sent, with the others and alone.
    if (project === 'one') world.queues.failNext({ refuse: [0], code }, 10);
    expect(await sorted(records)).toEqual([]);
    const deadLetters = world.queues.deadLetters.slice(before);
    expect(deadLetters.map((body) => JSON.parse(body))).toEqual([{ Records: [records[0]] }]);
    const came = new Set(given.flatMap((each) => numbersOf(each.records)));
    expect(came).toEqual(new Set(numbersOf(records.slice(1))));
  },
);

test('what waits after a refused record is sent again from the record that was not reached', async () => {
  const records = [record('one'), record('two'), record('three')];
  const before = world.queues.deadLetters.length;
  const refused = { status: 400, code: 'InvalidMessageContents' };
  world.queues.failNext(refused, 2);
  // As often as the client sends the second one.
  world.queues.failNext({ status: 403, code: 'AccessDenied' });
  expect(await sorted(records)).toEqual([records[1]?.dynamodb?.SequenceNumber]);
  expect(await sorted(records.slice(1))).toEqual([]);
  expect(world.queues.deadLetters.slice(before)).toHaveLength(1);
  expect(given.flatMap((each) => numbersOf(each.records))).toEqual(numbersOf(records.slice(1)));
});

test('the dead letter of unfinished long work goes on alone, without what else follows from its change', async () => {
  expect(await sorted([record('one')], { continued: true })).toEqual([]);
  expect(given.map(({ group }) => group)).toEqual([expect.stringMatching(/^one#\d$/)]);
});

test('a refused record that is too large for a dead letter too is passed over, and holds up no other', async () => {
  // A dead letter has each of these letters in six bytes.
  const records = [record('no group', { about_me: 'ä'.repeat(200_000) }), record('one')];
  const before = world.queues.deadLetters.length;
  expect(await sorted(records)).toEqual([]);
  expect(world.queues.deadLetters.slice(before)).toEqual([]);
  expect(given.flatMap((each) => numbersOf(each.records))).toEqual(numbersOf(records.slice(1)));
});

describe('sizes', () => {
  const large = (bytes: number) => record('one', { about_me: 'x'.repeat(bytes) });

  test('a message has 200 KB at most, or one larger record', async () => {
    const records = [large(90_000), large(90_000), large(90_000), large(380_000), large(90_000)];
    await sorted(records);
    expect(given.map((each) => each.records.length)).toEqual([2, 1, 1, 1]);
    expect(given.flatMap((each) => numbersOf(each.records))).toEqual(numbersOf(records));
  });

  test('many large messages are sent in several calls', async () => {
    const records = Array.from({ length: 12 }, (_, i) =>
      record(`p${i}`, { about_me: 'x'.repeat(190_000) }),
    );
    expect(await sorted(records)).toEqual([]);
    expect(given).toHaveLength(12);
  });

  test('a record that is too large for any message is logged and blocks nothing', async () => {
    const mixed = [record('one'), large(1_000_001), record('one')];
    const { result: failed, lines } = await logged(() => sorted(mixed));
    expect(failed).toEqual([]);
    expect(lines).toMatchObject([
      {
        level: 'error',
        operation: 'stream.sort',
        cause: { message: 'A change of USER#u USER is too large and was passed over.' },
      },
    ]);
    expect(given.flatMap(({ records }) => records)).toHaveLength(2);
  });
});

describe('if the queue fails', () => {
  const project = () => Array.from({ length: 60 }, () => record(`p${randomUUID().slice(0, 8)}`));
  const ofOne = () => Array.from({ length: 60 }, () => record('one'));

  test('refused messages, and only those, are sent again', async () => {
    const records = project();
    world.queues.failNext({ refuse: [0, 3] }, 3);
    expect(await sorted(records)).toEqual([]);
    expect(given).toHaveLength(60);
  });

  test.each<[string, ...Parameters<typeof world.queues.failNext>]>([
    ['refuses one', { refuse: [0] }, 2],
    ['answers, but the response is lost', 'lose'],
    ['hangs, so that the call is aborted and retried', 'hang'],
  ])('and %s, each message of a project is sent once, in their order', async (_, ...fault) => {
    const records = ofOne();
    world.queues.failNext(...fault);
    expect(await sorted(records)).toEqual([]);
    expect(given.flatMap((each) => numbersOf(each.records))).toEqual(numbersOf(records));
  });

  test('and refuses everything, the batch fails from its first record, and a retry duplicates nothing', async () => {
    const records = [...ofOne(), ...project()];
    world.queues.failNext({ refuse: [0] }, 200);
    expect(await sorted(records)).toEqual([records[0]?.dynamodb?.SequenceNumber]);
    await vi.waitFor(async () => expect(await sorted(records)).toEqual([]), { timeout: 20_000 });
    const came = given.flatMap((each) => numbersOf(each.records));
    expect(came.toSorted((a, b) => a - b)).toEqual(numbersOf(records));
  });
});
