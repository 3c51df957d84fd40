import type { DynamoDBRecord } from 'aws-lambda';
import { expect, test } from 'vitest';
import { linkPurposes } from '#shared/access/projects.ts';
import { keys } from '#shared/db/keys.ts';
import { recordsOf, sortByProject } from '#shared/events/queue-sort.ts';
import { mailsQueue } from '../../../lib/domains/mail.ts';
import { streamRecord } from '../../support/stream-record.ts';

let number = 0;
/** A record of an item; either image may be missing. */
function record(before: object | undefined, after: object | undefined): DynamoDBRecord {
  number += 1;
  const image = (item: object | undefined) => item && { project_id: 'one', ...item };
  return streamRecord({ before: image(before), after: image(after) }, number);
}

const idsOf = (records: readonly DynamoDBRecord[]) => records.map(({ eventID }) => eventID);

/** Which records are sent on, by group of the queue. */
function sorted(records: readonly DynamoDBRecord[]) {
  const messages = sortByProject(records, () => expect.fail());
  expect(new Set(messages.map(({ queue }) => queue))).toEqual(new Set(['changes']));
  const groups = Map.groupBy(messages, ({ group }) => group);
  return Object.fromEntries(
    [...groups].map(([group, of]) => [group, idsOf(of.flatMap(({ body }) => recordsOf(body)))]),
  );
}

test('a mere copy of a profile is not forwarded, but every other change is', () => {
  const workspace = { ...keys.workspace('w'), name: 'W', event_count: 2, owner_email: 'new' };
  const was = { ...workspace, owner_email: 'old', owner_version: 1 };
  const invitation = { ...keys.invitation('w', 'u'), profile: 'new', profile_version: 2 };
  const copies = [
    record(was, workspace),
    record({ ...invitation, profile: 'old', profile_version: 1 }, invitation),
  ];
  const others = [
    record({ ...was, name: 'V' }, workspace),
    record({ ...was, event_count: 1 }, workspace),
    // An unchanged write, which repeats the follow-up work of an item.
    record(workspace, workspace),
    record({ ...invitation, profile: 'old', by_member_sk: 'ARCHIVED#' }, invitation),
    record(undefined, workspace),
    record(was, undefined),
    record(invitation, undefined),
  ];
  expect(sorted([...copies, ...others])).toEqual({ one: idsOf(others) });
});

test('changes of members are in order, in a group that nothing else of the project waits for', () => {
  const member = (uid: string, profile: string) => ({ ...keys.member('w', uid), profile });
  const changes = [
    record(undefined, member('u', 'a')),
    ...Array.from({ length: 60 }, (_, i) => record(member(`${i}`, 'a'), member(`${i}`, 'b'))),
    record(member('u', 'a'), member('u', 'b')),
    record(member('u', 'b'), undefined),
  ];
  const workspace = record(undefined, keys.workspace('w'));
  const other = record(undefined, { ...member('u', 'a'), project_id: 'two' });
  expect(sorted([...changes, workspace, other])).toEqual({
    one: [workspace.eventID],
    'one.members': idsOf(changes),
    'two.members': [other.eventID],
  });
});

/** The groups of this many mails of a kind. */
function groupsOf(kind: string, count = 40, project_id = 'one'): string[] {
  const mails = Array.from({ length: count }, (_, i) => ({
    ...record(undefined, { ...keys.mail(`${kind}-${i}`), kind, project_id }),
    // As the stream numbers its records.
    eventID: i.toString(16).padStart(32, '0'),
  }));
  const messages = sortByProject(mails, () => expect.fail());
  expect(new Set(messages.map(({ queue }) => queue))).toEqual(new Set(['mails']));
  expect(messages.flatMap(({ body }) => recordsOf(body))).toHaveLength(count);
  return [...new Set(messages.map(({ group }) => group))].toSorted();
}

test('a mail with a code or link shares no group with bulk mails or notices', () => {
  const four = ['one.0', 'one.1', 'one.2', 'one.3'];
  for (const kind of ['sign_in_code', ...linkPurposes]) expect(groupsOf(kind), kind).toEqual(four);
  expect(groupsOf('workspace_invitation')).toEqual(['one.invitations.0', 'one.invitations.1']);
  expect(groupsOf('second_factor_required')).toEqual(['one.members']);
  const notices = ['one.notices.0', 'one.notices.1'];
  for (const kind of ['password_changed', 'new_device', 'password_locked', 'of_a_later_release'])
    expect(groupsOf(kind), kind).toEqual(notices);
});

test('mails of one project share no group with those of another', () => {
  const kinds = ['sign_in_code', 'workspace_invitation', 'second_factor_required', 'new_device'];
  for (const kind of kinds)
    for (const group of groupsOf(kind, 40, 'two')) expect(group).toMatch(/^two\./);
});

test("the groups of one project's mails leave half of the invocations to other projects", () => {
  const kinds = ['sign_in_code', 'workspace_invitation', 'second_factor_required', 'new_device'];
  const lanes = kinds.flatMap((kind) => groupsOf(kind));
  expect(lanes.length).toBeLessThan(mailsQueue.concurrency / 2);
});
