/** @module-tag alone */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import type { Fault } from '../../../local/aws/ses.ts';
import { fromSource } from '../../../local/load.ts';
import { aTime } from '../../support/expectations.ts';
import { mailFeed, record } from '../../support/mail-feed.ts';
import { signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { ask, deliver, feed, handler, itemOf, mailsTo } = await mailFeed(world);
const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
/** Milliseconds that the function reserves at the end of its timeout. */
const reserve = 5_000;

/** A separate project, because mails are rate limited per project. */
const fresh = (settings: object = {}) => signInProject(world, settings);

describe('sent', () => {
  test('once, and noted with the number that the mail service gave', async () => {
    const ours = await fresh();
    const { email, mail_id } = await ask(ours);
    const before = await itemOf(mail_id);
    expect(before).toEqual({
      ...keys.mail(mail_id),
      mail_id,
      project_id: ours.project_id,
      kind: 'sign_up',
      to: email,
      created_at: aTime(),
      expires_at: Math.floor(Date.parse(String(before?.['created_at'])) / 1_000) + 7 * 86_400,
    });
    expect(await deliver([mail_id])).toEqual([]);
    const [mail, ...others] = mailsTo(email);
    expect(others).toEqual([]);
    expect(await itemOf(mail_id)).toEqual({
      ...before,
      claimed_at: aTime(),
      outcome: 'sent',
      message_id: mail?.message_id,
      write_id: expect.any(String),
    });
  });

  test('once, though the record comes twice, in one batch, at once and much later', async () => {
    const { email, mail_id } = await ask(await fresh());
    const results = await Promise.all([
      deliver([mail_id, mail_id]),
      deliver([mail_id]),
      deliver([mail_id]),
    ]);
    expect(results).toEqual([[], [], []]);
    expect(await deliver([mail_id])).toEqual([]);
    await world.drainStream();
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('each of a batch of many, in one go', async () => {
    const ours = await fresh();
    const asked = [];
    for (let i = 0; i < 10; i += 1) asked.push(await ask(ours));
    expect(await deliver(asked.map(({ mail_id }) => mail_id))).toEqual([]);
    for (const { email } of asked) expect(mailsTo(email)).toHaveLength(1);
  });
});

describe('not needed', () => {
  const cases: [string, string, object][] = [
    ['a password that nobody has forgotten', '/passwords/forgotten', {}],
    ['a code for nobody, where nobody may sign up', '/codes', { sign_up: false }],
    ['a sign-in link for nobody, where nobody may sign up', '/links', { sign_up: false }],
  ];

  test.each(cases)('%s: nothing is sent, and it is settled', async (_, path, settings) => {
    const { email, mail_id } = await ask(await fresh(settings), path);
    expect(await deliver([mail_id])).toEqual([]);
    expect(await deliver([mail_id])).toEqual([]);
    expect(mailsTo(email)).toEqual([]);
    expect(await itemOf(mail_id)).toMatchObject({ outcome: 'unneeded' });
  });

  test('a code for a user is sent, whoever may sign up', async () => {
    const ours = await fresh({ sign_up: false });
    const { email } = await world.user({ project: ours.project });
    const { mail_id } = await ask(ours, '/codes', email);
    await deliver([mail_id]);
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('an account of another project is none here', async () => {
    const elsewhere = await world.user();
    const { mail_id } = await ask(await fresh(), '/passwords/forgotten', elsewhere.email);
    await deliver([mail_id]);
    expect(mailsTo(elsewhere.email)).toEqual([]);
  });

  test('a mail that is gone, and records that are of no new mail', async () => {
    const { email, item } = await ask(await fresh());
    const gone = { ...item, ...keys.mail('gone'), mail_id: 'gone' };
    const others = [
      record(item, 0, 'MODIFY'),
      record(item, 1, 'REMOVE'),
      record({ ...item, sk: 'USER' }, 2),
      { eventName: 'INSERT' },
      { eventName: 'INSERT', dynamodb: {} },
      record(gone, 3),
    ];
    expect(await feed(others)).toEqual([]);
    expect(mailsTo(email)).toEqual([]);
    expect(await itemOf('gone')).toBeUndefined();
  });

  test('a mail of a project that is gone', async () => {
    const { email, item, mail_id } = await ask(await fresh());
    expect(await feed([record({ ...item, project_id: 'gone' }, 0)])).toEqual([]);
    expect(mailsTo(email)).toEqual([]);
    expect(await itemOf(mail_id)).toMatchObject({ outcome: 'unneeded' });
  });

  test.each([
    ['/sign-up', 86_400],
    ['/codes', 600],
    ['/links', 900],
  ])('%s: what it brings has expired: it is sent until then and not after', async (path, life) => {
    const ours = await fresh();
    const [early, late] = [await ask(ours, path), await ask(ours, path)];
    const created = (age: number) => new Date(Date.now() - age * 1_000).toISOString();
    const records = [
      record({ ...early.item, created_at: created(life - 30) }, 0),
      record({ ...late.item, created_at: created(life + 1) }, 1),
    ];
    expect(await feed(records)).toEqual([]);
    expect(mailsTo(early.email)).toHaveLength(1);
    expect(mailsTo(late.email)).toEqual([]);
    expect(await itemOf(late.mail_id)).toMatchObject({ outcome: 'expired' });
  });
});

test.each([
  // If the workspace no longer requires it, or the address has no account, the mail is skipped.
  ['second_factor_required', 3_600, 'unneeded'],
  ['password_changed', 7 * 86_400, 'sent'],
])(
  '%s: it is worth sending for %i seconds, though SES fails for so long',
  async (kind, life, outcome) => {
    const ours = await fresh();
    const [early, late] = [await ask(ours), await ask(ours)];
    const aged = ({ item }: typeof early, age: number, number: number) =>
      record(
        { ...item, kind, created_at: new Date(Date.now() - age * 1_000).toISOString() },
        number,
      );
    expect(await feed([aged(early, life - 30, 0), aged(late, life + 1, 1)])).toEqual([]);
    expect(await itemOf(early.mail_id)).toMatchObject({ outcome });
    expect(await itemOf(late.mail_id)).toMatchObject({ outcome: 'expired' });
    expect(mailsTo(late.email)).toEqual([]);
  },
);

describe('refused', () => {
  const passing: [string, Fault][] = [
    ['too many at once', { status: 429, code: 'TooManyRequestsException' }],
    ['over the limit', { status: 400, code: 'LimitExceededException' }],
    ['paused', { status: 400, code: 'SendingPausedException' }],
    ['away', { status: 503, code: 'ServiceUnavailable' }],
    ['not allowed yet', { status: 403, code: 'AccessDeniedException' }],
  ];

  test.each(passing)(
    'for a reason that passes (%s): it is reported, and sent when it comes again',
    async (_, fault) => {
      const { email, mail_id } = await ask(await fresh());
      const before = await itemOf(mail_id);
      world.outbox.failNext(fault, 2);
      expect(await deliver([mail_id])).toEqual(['0']);
      expect(await deliver([mail_id])).toEqual(['0']);
      expect(await itemOf(mail_id)).toEqual({ ...before, write_id: expect.any(String) });
      expect(mailsTo(email)).toEqual([]);
      expect(await deliver([mail_id])).toEqual([]);
      expect(mailsTo(email)).toHaveLength(1);
      expect(await itemOf(mail_id)).toMatchObject({ outcome: 'sent' });
    },
  );

  test('by the stream, it is sent all the same, and once', async () => {
    const ours = await fresh();
    await world.drainStream();
    world.outbox.failNext({ status: 503, code: 'ServiceUnavailable' }, 3);
    const { email } = await ask(ours);
    const other = await ask(ours);
    await world.drainStream();
    expect(mailsTo(email)).toHaveLength(1);
    expect(mailsTo(other.email)).toHaveLength(1);
  });

  test('where nobody listens: it is reported, and sent when somebody does', async () => {
    const { email, item, mail_id } = await ask(await fresh());
    const endpoint = process.env['AWS_ENDPOINT_URL_SESV2'];
    process.env['AWS_ENDPOINT_URL_SESV2'] = 'http://127.0.0.1:1';
    vi.resetModules();
    // A separate instance: the SDK's clients read the environment when they are created.
    const elsewhere = await fromSource('mail.send');
    expect(elsewhere).not.toBe(handler);
    const failed = await feed([record(item, 7)], 60_000, elsewhere);
    process.env['AWS_ENDPOINT_URL_SESV2'] = endpoint;
    expect(failed).toEqual(['7']);
    expect(await deliver([mail_id])).toEqual([]);
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('of a kind that only a later release knows: it waits for that one, though not for long', async () => {
    const [soon, late] = [await ask(await fresh()), await ask(await fresh())];
    const later = (item: object, age: number) =>
      record(
        { ...item, kind: 'later', created_at: new Date(Date.now() - age * 1_000).toISOString() },
        0,
      );
    expect(await feed([later(soon.item, 270)])).toEqual(['0']);
    expect(await itemOf(soon.mail_id)).toEqual(soon.item);
    expect(await deliver([soon.mail_id])).toEqual([]);
    expect(mailsTo(soon.email)).toHaveLength(1);
    expect(await feed([later(late.item, 301)])).toEqual([]);
    expect(await itemOf(late.mail_id)).toMatchObject({ outcome: 'rejected' });
    expect(mailsTo(late.email)).toEqual([]);
  });

  test('one that cannot be composed keeps those behind it waiting for an hour, and not for days', async () => {
    const { item, mail_id } = await ask(await fresh());
    const faulty = (age: number) => {
      const created_at = new Date(Date.now() - age * 1_000).toISOString();
      return record({ ...item, kind: 'password_changed', to: 1, created_at }, 0);
    };
    expect(await feed([faulty(3_590)])).toEqual(['0']);
    expect(await feed([faulty(3_601)])).toEqual([]);
    expect(await itemOf(mail_id)).toMatchObject({ outcome: 'rejected' });
  });

  test.each(['MessageRejected', 'BadRequestException', 'AccountSuspendedException'])(
    'for good (%s): it is settled and not tried again',
    async (code) => {
      const { email, mail_id } = await ask(await fresh());
      world.outbox.failNext({ status: 400, code });
      expect(await deliver([mail_id])).toEqual([]);
      expect(await itemOf(mail_id)).toMatchObject({ outcome: 'rejected' });
      expect(await deliver([mail_id])).toEqual([]);
      expect(mailsTo(email)).toEqual([]);
    },
  );

  test('one of a batch holds up no other', async () => {
    const ours = await fresh();
    const [one, two, three] = [await ask(ours), await ask(ours), await ask(ours)];
    // Which mail of a batch the fault hits is chance, so it hits them all.
    world.outbox.failNext({ status: 429, code: 'TooManyRequestsException' });
    const ids = [one.mail_id, two.mail_id, three.mail_id];
    const failed = await deliver(ids);
    expect(failed).toHaveLength(1);
    const sent = [one, two, three].filter(({ email }) => mailsTo(email).length === 1);
    expect(sent).toHaveLength(2);
    expect(await deliver(ids)).toEqual([]);
    for (const { email } of [one, two, three]) expect(mailsTo(email)).toHaveLength(1);
  });
});

describe('nobody knows whether it was sent, so it is not sent again', () => {
  test.each<[string, Fault, number]>([
    ['an answer that is lost', 'lose', 1],
    ['an answer that does not come', 'hang', 0],
    // After it, the mail may have been sent.
    ['a failure of the mail service', { status: 500, code: 'InternalFailure' }, 0],
  ])('%s', async (_, fault, sent) => {
    const { email, mail_id } = await ask(await fresh());
    world.outbox.failNext(fault);
    expect(await deliver([mail_id])).toEqual([]);
    expect(await itemOf(mail_id)).toMatchObject({ outcome: 'unknown' });
    expect(await deliver([mail_id])).toEqual([]);
    expect(mailsTo(email)).toHaveLength(sent);
  });

  test('a function whose time is over while it waits for the answer', async () => {
    const { mail_id } = await ask(await fresh());
    world.outbox.failNext('hang');
    await deliver([mail_id], reserve + 500);
    const before = world.mails().length;
    expect(await deliver([mail_id])).toEqual([]);
    expect(world.mails()).toHaveLength(before);
  });

  test('a function that ended between its claim and the end', async () => {
    const { email, mail_id } = await ask(await fresh());
    await world.table.update(keys.mail(mail_id), { claimed_at: new Date().toISOString() });
    expect(await deliver([mail_id])).toEqual([]);
    await world.drainStream();
    expect(mailsTo(email)).toEqual([]);
  });
});

test('a function that has no time left takes nothing, and says so: it is sent the next time', async () => {
  const { email, item, mail_id } = await ask(await fresh());
  expect(await deliver([mail_id], reserve)).toEqual(['0']);
  expect(await itemOf(mail_id)).toEqual(item);
  for (let i = 0; i < 2; i += 1) expect(await deliver([mail_id])).toEqual([]);
  expect(mailsTo(email)).toHaveLength(1);
});

describe('without a sender of the deployment', () => {
  beforeEach(() => {
    const sender = process.env['MAIL_SENDER'];
    process.env['MAIL_SENDER'] = '';
    return () => {
      process.env['MAIL_SENDER'] = sender;
    };
  });

  test('a mail is settled as rejected: when there is one, whoever waited has asked again', async () => {
    const { email, mail_id } = await ask(await fresh());
    expect(await deliver([mail_id])).toEqual([]);
    expect(await itemOf(mail_id)).toMatchObject({ outcome: 'rejected' });
    process.env['MAIL_SENDER'] = 'late@example.com';
    expect(await deliver([mail_id])).toEqual([]);
    expect(mailsTo(email)).toEqual([]);
  });

  test('a project that has its own writes as ever', async () => {
    const { email, mail_id } = await ask(await fresh({ mail_sender: 'own@acme.com' }));
    expect(await deliver([mail_id])).toEqual([]);
    expect(mailsTo(email)).toMatchObject([{ from: '"Test" <own@acme.com>' }]);
  });
});

describe('what is secret', () => {
  beforeEach(() => {
    process.env['LOG_LEVEL'] = 'info';
    stderr.mockClear();
    return () => {
      process.env['LOG_LEVEL'] = 'silent';
    };
  });
  const written = () => stderr.mock.calls.map(([line]) => String(line));

  test.each(['/sign-up', '/codes', '/links'])('%s: is in no item and no log line', async (path) => {
    const ours = await fresh();
    const { email, mail_id } = await ask(ours, path);
    world.outbox.failNext({ status: 503, code: 'ServiceUnavailable' });
    await deliver([mail_id]);
    const mail = await ours.mailTo(email);
    const [, token, code = ''] = /#token=([\w-]{43})|^(\d{6})$/m.exec(mail?.text ?? '') ?? [];
    const secret = token ?? code;
    expect(secret).toMatch(/^(?:[\w-]{43}|\d{6})$/);
    // Six digits occur by chance in times and ids: they must not occur as a value or a separate word.
    const alone = new RegExp(`(?<![\\w-])${secret}(?![\\w-])`);
    const logged = written().join('');
    expect(logged).toContain(mail_id);
    expect(logged).not.toMatch(alone);
    expect(logged).not.toContain(email);
    expect(JSON.stringify(await world.table.all())).not.toMatch(alone);
  });

  test.each<[string, Fault]>([
    ['ServiceUnavailable', { status: 503, code: 'ServiceUnavailable' }],
    ['MessageRejected', { status: 400, code: 'MessageRejected' }],
  ])('%s: one line tells which mail it is and why it was not sent', async (name, fault) => {
    const { mail_id } = await ask(await fresh());
    stderr.mockClear();
    world.outbox.failNext(fault);
    await deliver([mail_id]);
    expect(written().map((line) => JSON.parse(line))).toEqual([
      {
        level: 'error',
        operation: 'mail.send',
        request_id: expect.any(String),
        duration_ms: expect.any(Number),
        mail_id,
        cause: { name, message: expect.any(String), stack: expect.any(String) },
      },
    ]);
  });

  test('a missing sender is told in one line', async () => {
    const { mail_id } = await ask(await fresh());
    stderr.mockClear();
    const sender = process.env['MAIL_SENDER'];
    process.env['MAIL_SENDER'] = '';
    await deliver([mail_id]);
    process.env['MAIL_SENDER'] = sender;
    expect(written().map((line) => JSON.parse(line))).toMatchObject([
      { level: 'error', mail_id, cause: { message: expect.stringContaining('mailSender') } },
    ]);
  });

  test('silence about a mail that was sent', async () => {
    const { mail_id } = await ask(await fresh());
    stderr.mockClear();
    await deliver([mail_id]);
    expect(written()).toEqual([]);
  });
});
