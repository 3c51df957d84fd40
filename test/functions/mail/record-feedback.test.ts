/** @module-tag alone */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import type { MailboxItem } from '#shared/mail/mailboxes.ts';
import type { Event } from '#shared/model/events.ts';
import { feedbackPattern } from '../../../lib/domains/mail.ts';
import { matches } from '../../../local/aws/filter.ts';
import { invoke } from '../../../local/aws/lambda.ts';
import { configurationSet } from '../../../local/environment.ts';
import { fromSource } from '../../../local/load.ts';
import { aTime, expectSame } from '../../support/expectations.ts';
import { logged } from '../../support/log.ts';
import { newAddress } from '../../support/mail-feed.ts';
import { goodPassword, type SignIn, signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const handler = await fromSource('mail.recordFeedback');
const record = (event: unknown) => invoke('mail.recordFeedback', handler, event, 10_000);

/** A separate project, because mails are rate limited per project. */
const fresh = (settings: object = {}) => signInProject(world, settings);
/** An address of SES's mailbox simulator, which the local mail service knows. */
const simulated = (name: string) => `${name}+${randomUUID().slice(0, 8)}@simulator.amazonses.com`;
const mailsTo = (email: string) => world.mails().filter(({ to }) => to === email);
const mailbox = ({ project_id }: SignIn, email: string) =>
  world.table.get(keys.mailbox(project_id, email)) as Promise<MailboxItem | undefined>;
/** The events about an address in its project's feed. */
async function eventsOf({ project }: SignIn): Promise<Event[]> {
  await world.drainStream();
  const { body } = await world.as(project).events.list({ limit: 100 });
  return body.result.filter(({ type }: Event) => type.startsWith('email.'));
}
const outcomeOf = async (email: string, kind: string) =>
  (await world.table.all())
    .filter((item) => item['sk'] === 'MAIL' && item['to'] === email && item['kind'] === kind)
    .map((item) => item['outcome']);

type Given = {
  id?: string;
  sent_at?: string;
  bounceType?: string;
  complaint?: string | null;
  mail_kind?: string;
};
/** An SES event about a mail of a project. */
const aFeedback = ({ project_id }: SignIn, email: string, given: Given = {}) => {
  const { id = randomUUID(), sent_at = new Date().toISOString(), mail_kind = 'sign_up' } = given;
  const complained = 'complaint' in given;
  return {
    source: 'aws.ses',
    'detail-type': complained ? 'Email Complaint Received' : 'Email Bounced',
    detail: {
      eventType: complained ? 'Complaint' : 'Bounce',
      ...(complained
        ? { complaint: { feedbackId: id, complaintFeedbackType: given.complaint } }
        : { bounce: { feedbackId: id, bounceType: given.bounceType ?? 'Permanent' } }),
      mail: {
        timestamp: sent_at,
        destination: [email],
        tags: {
          'ses:configuration-set': [configurationSet],
          project_id: [project_id],
          mail_kind: [mail_kind],
        },
      },
    },
  };
};

describe('feedback about a mail', () => {
  test('a bounce without an account is an event, and stops further mail to the address', async () => {
    const ours = await fresh();
    const email = simulated('bounce');
    const { body: before } = await ours.post('/sign-up', { email });
    await world.drainStream();
    expect(mailsTo(email)).toHaveLength(1);
    expect(await eventsOf(ours)).toEqual([
      {
        id: expect.stringMatching(/^evt-/),
        type: 'email.bounced',
        time: aTime(),
        project_id: ours.project_id,
        actor: { kind: 'service', id: 'identity-workspace' },
        data: { email, bounce_type: 'permanent', mail_kind: 'sign_up' },
      },
    ]);
    const { body: after, status } = await ours.post('/sign-up', { email });
    expect([status, after]).toEqual([202, before]);
    await ours.post('/codes', { email: email.toUpperCase().replace('@SIMULATOR', '@simulator') });
    await world.drainStream();
    expect(world.mails().filter(({ to }) => to.toLowerCase() === email)).toHaveLength(1);
    expect(new Set(await outcomeOf(email, 'sign_up'))).toEqual(new Set(['sent', 'suppressed']));
  });

  test('a bounce of an invitee is an event with their uid, and a complaint of a user stops further mail', async () => {
    const ours = await fresh();
    const owner = await world.user({ project: ours.project });
    const { workspace_id } = await world.workspace({ owner });
    const email = simulated('suppressionlist');
    await world.as(owner).invitations.create({ workspace_id, email, role: 'member' });
    const complaining = simulated('complaint');
    const { uid } = await ours.signUp(complaining);
    const invited = await world.as(ours.project).users.create({ email });
    expect((await eventsOf(ours)).map(({ type, data }) => [type, data])).toEqual(
      expect.arrayContaining([
        [
          'email.bounced',
          {
            email,
            user_id: invited.body.uid,
            bounce_type: 'permanent',
            mail_kind: 'workspace_invitation',
          },
        ],
        ['email.complained', { email: complaining, mail_kind: 'sign_up' }],
      ]),
    );
    const mailCount = mailsTo(complaining).length;
    await ours.post('/passwords/forgotten', { email: complaining });
    await world.drainStream();
    expect(mailsTo(complaining)).toHaveLength(mailCount);
    // Their password still signs them in.
    expect((await ours.signIn(complaining, goodPassword)).uid).toBe(uid);
  });

  test('an out-of-office reply is an event and does not stop mail', async () => {
    const ours = await fresh();
    const email = simulated('ooto');
    for (const _ of [1, 2]) {
      await ours.post('/sign-up', { email });
      await world.drainStream();
    }
    expect(mailsTo(email)).toHaveLength(2);
    expect((await eventsOf(ours)).map(({ data }) => data['bounce_type'])).toEqual([
      'transient',
      'transient',
    ]);
  });

  test('a bounce in one project does not stop the mail of another', async () => {
    const [ours, theirs] = [await fresh(), await fresh()];
    const email = simulated('bounce');
    await ours.post('/sign-up', { email });
    await world.drainStream();
    await theirs.post('/sign-up', { email });
    await world.drainStream();
    expect(mailsTo(email)).toHaveLength(2);
  });

  test('the rule matches only feedback about mails of this deployment', () => {
    const event = (set: string) => ({
      source: 'aws.ses',
      'detail-type': 'Email Bounced',
      detail: { mail: { tags: { 'ses:configuration-set': [set] } } },
    });
    const pattern = feedbackPattern(configurationSet);
    expect(matches(pattern, event(configurationSet))).toBe(true);
    expect(matches(pattern, event('marketing'))).toBe(false);
    expect(matches(pattern, { ...event(configurationSet), source: 'acme' })).toBe(false);
    const sent = { ...event(configurationSet), 'detail-type': 'Email Sent' };
    expect(matches(pattern, sent)).toBe(false);
    expect(matches(pattern, { source: 'aws.ses', 'detail-type': 'Email Bounced' })).toBe(false);
  });
});

describe('when the backend sends email_verified', () => {
  test.each<[string, boolean]>([
    ['POST /users', false],
    ['POST /users of a user', true],
    ['PUT /users/{uid}', true],
  ])('%s with email_verified: mail is sent again', async (call, known) => {
    const ours = await fresh();
    const { users } = world.as(ours.project);
    const email = newAddress();
    const vouched = { email, email_verified: true };
    const uid = known ? (await users.create({ email })).body.uid : '';
    await record(aFeedback(ours, email));
    expect(await mailbox(ours, email)).toMatchObject({ stopped_because: 'bounced' });
    await ours.post('/codes', { email });
    await world.drainStream();
    expect(mailsTo(email)).toEqual([]);
    if (call.startsWith('POST')) await users.create(vouched);
    else await users.update({ uid, ...vouched });
    expect(await mailbox(ours, email)).not.toHaveProperty('stopped_at');
    await ours.post('/codes', { email });
    await world.drainStream();
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('mail is sent again for a verified user too; without email_verified, or from a user, it is not', async () => {
    const ours = await fresh();
    const { bearer, uid, email } = await ours.signUp(newAddress());
    await record(aFeedback(ours, email, { complaint: 'abuse' }));
    const stopped = async () => (await mailbox(ours, email))?.stopped_because;
    const { users } = world.as(ours.project);
    await users.create({ email });
    await users.update({ uid, email, display_name: 'A' });
    await world.as(bearer).users.update({ uid, email, email_verified: true });
    expect(await stopped()).toBe('complained');
    expect((await users.create({ email, email_verified: true })).status).toBe(200);
    expect(await stopped()).toBeUndefined();
  });

  test('a bounce of an earlier mail is an event and stops nothing; feedback about a later mail stops mail', async () => {
    const ours = await fresh();
    const email = newAddress();
    await record(aFeedback(ours, email));
    const before = new Date().toISOString();
    await world.as(ours.project).users.create({ email, email_verified: true });
    await record(aFeedback(ours, email, { sent_at: before }));
    expect(await mailbox(ours, email)).not.toHaveProperty('stopped_at');
    await record(aFeedback(ours, email, { complaint: null }));
    expect(await mailbox(ours, email)).toMatchObject({ stopped_because: 'complained' });
    expect((await eventsOf(ours)).map(({ type }) => type)).toEqual([
      'email.bounced',
      'email.bounced',
      'email.complained',
    ]);
  });
});

test('a bounce in transit while the backend verifies stops mail if none had before; verifying again resumes it', async () => {
  const ours = await fresh();
  const { users } = world.as(ours.project);
  const email = newAddress();
  const before = new Date().toISOString();
  const vouched = { email, email_verified: true };
  await users.create(vouched);
  await record(aFeedback(ours, email, { sent_at: before }));
  expect(await mailbox(ours, email)).toMatchObject({ stopped_because: 'bounced' });
  await users.create(vouched);
  await record(aFeedback(ours, email, { sent_at: before }));
  expect(await mailbox(ours, email)).not.toHaveProperty('stopped_at');
});

describe('a repeated event', () => {
  test('is recorded once, repeated, concurrent or in another order', async () => {
    const ours = await fresh();
    const email = newAddress();
    const one = aFeedback(ours, email, { bounceType: 'Transient' });
    const two = aFeedback(ours, email, { complaint: 'abuse' });
    const three = aFeedback(ours, email);
    await Promise.all([three, one, two, one, three, two].map(record));
    for (const each of [one, two, three, one]) await record(each);
    const types = (await eventsOf(ours)).map(({ type }) => type);
    expect(types.toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'email.bounced',
      'email.bounced',
      'email.complained',
    ]);
    expect((await mailbox(ours, email))?.event_count).toBe(3);
  });

  test('changes nothing after the backend has verified the address', async () => {
    const ours = await fresh();
    const email = newAddress();
    const bounced = aFeedback(ours, email);
    await record(bounced);
    await world.as(ours.project).users.create({ email, email_verified: true });
    const before = await mailbox(ours, email);
    await record(bounced);
    expect(await mailbox(ours, email)).toEqual(before);
  });
});

describe('other feedback', () => {
  test.each<[string, Given, string[]]>([
    ['a mail that the user marks as not spam', { complaint: 'not-spam' }, []],
    ['a bounce of an undetermined type', { bounceType: 'Undetermined' }, ['undetermined']],
  ])('%s stops nothing', async (_, given, bounceTypes) => {
    const ours = await fresh();
    const email = newAddress();
    await record(aFeedback(ours, email, given));
    expect((await mailbox(ours, email))?.stopped_at).toBeUndefined();
    expect((await eventsOf(ours)).map(({ data }) => data['bounce_type'])).toEqual(bounceTypes);
  });

  test('about a mail of a deleted project is ignored', async () => {
    const gone = { ...(await fresh()), project_id: 'gone' };
    await record(aFeedback(gone, 'ada@example.com'));
    expect(await mailbox(gone, 'ada@example.com')).toBeUndefined();
  });

  test('that is malformed is logged without an address, and retried', async () => {
    const ours = await fresh();
    const { detail } = aFeedback(ours, 'ada@example.com');
    const mail = { ...detail.mail, destination: ['ada@example.com', 'bob@example.com'] };
    const { lines } = await logged(() =>
      expect(record({ detail: { ...detail, mail } })).rejects.toThrow('destination'),
    );
    expect(lines).toEqual([expect.objectContaining({ operation: 'mail.recordFeedback' })]);
    expect(JSON.stringify(lines)).not.toContain('@example.com');
  });
});

test('the state of an address keeps no address and no uid, even once the user has changed it or is deleted', async () => {
  const ours = await fresh();
  const { users } = world.as(ours.project);
  const [former, email] = [newAddress(), newAddress()];
  const { uid } = (await users.create({ email: former })).body;
  await record(aFeedback(ours, former));
  await world.drainStream();
  await users.update({ uid, email });
  await record(aFeedback(ours, email, { bounceType: 'Transient' }));
  await world.drainStream();
  await users.delete({ uid });
  await world.drainStream();
  await record(aFeedback(ours, email));
  expect((await eventsOf(ours)).map(({ type }) => type)).toEqual(Array(3).fill('email.bounced'));
  for (const [address, event_count] of [
    [former, 1],
    [email, 2],
  ] as const) {
    const item = await mailbox(ours, address);
    expect(item).toMatchObject({ stopped_because: 'bounced', event_count });
    expect(JSON.stringify(item)).not.toMatch(new RegExp(`@|${uid}`));
  }
});

test('deleting a user removes the address from its events, and mail to the address stays stopped', async () => {
  const ours = await fresh();
  const { uid, email } = await world.user({ project: ours.project });
  await record(aFeedback(ours, email, { complaint: 'abuse' }));
  expect((await eventsOf(ours)).map(({ data }) => data)).toEqual([
    { email, user_id: uid, mail_kind: 'sign_up' },
  ]);
  const { users } = world.as(ours.project);
  expect((await users.delete({ uid })).status).toBe(200);
  expect((await eventsOf(ours)).map(({ type, data }) => [type, data])).toEqual([
    ['email.complained', { user_id: uid }],
  ]);
  const items = (await world.table.all()).filter(({ pk }) => !String(pk).startsWith('RATE#'));
  expect(JSON.stringify(items)).not.toContain(email);
  expect((await users.create({ email })).status).toBe(201);
  const first = await ours.post('/sign-up', { email });
  expectSame(first, await ours.post('/sign-up', { email: newAddress() }));
  await world.drainStream();
  expect(mailsTo(email)).toEqual([]);
});

test('deleting a user keeps the events of a new user with the same address, also those before the deletion job', async () => {
  const ours = await fresh();
  const { users } = world.as(ours.project);
  const { uid, email } = await world.user({ project: ours.project });
  const bounce = () => record(aFeedback(ours, email, { bounceType: 'Transient' }));
  await bounce();
  expect((await users.delete({ uid })).status).toBe(200);
  const heir = (await users.create({ email })).body.uid;
  await bounce();
  const theirs = { email, user_id: heir, bounce_type: 'transient', mail_kind: 'sign_up' };
  const feed = async () => (await eventsOf(ours)).map(({ data }) => data);
  expect(await feed()).toEqual([{ user_id: uid }, theirs]);
  // They are deleted when the user gives up the address.
  expect((await users.delete({ uid: heir })).status).toBe(200);
  expect(await feed()).toEqual([{ user_id: uid }, { user_id: heir }]);
});
