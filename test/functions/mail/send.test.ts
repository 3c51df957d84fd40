/** @module-tag alone */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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

afterEach(() => {
  vi.unstubAllEnvs();
});
/** A separate project, because mails are rate limited per project. */
const fresh = (settings: object = {}) => signInProject(world, settings);

describe('a mail is sent', () => {
  test('once, and stored with the message id of the mail service', async () => {
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

  test('once, even if the record comes several times: in one batch, concurrently and later', async () => {
    const { email, mail_id } = await ask(await fresh());
    await Promise.all([deliver([mail_id, mail_id]), deliver([mail_id]), deliver([mail_id])]);
    expect(await deliver([mail_id])).toEqual([]);
    await world.drainStream();
    expect(mailsTo(email)).toHaveLength(1);
  });
});

describe('no mail is sent', () => {
  const cases: [string, string, object][] = [
    ['a password that nobody has forgotten', '/passwords/forgotten', {}],
    ['a code for nobody, where nobody may sign up', '/codes', { sign_up: false }],
    ['a sign-in link for nobody, where nobody may sign up', '/links', { sign_up: false }],
  ];

  test.each(cases)('for %s, and the item records that', async (_, path, settings) => {
    const { email, mail_id } = await ask(await fresh(settings), path);
    expect(await deliver([mail_id])).toEqual([]);
    expect(await deliver([mail_id])).toEqual([]);
    expect(mailsTo(email)).toEqual([]);
    expect(await itemOf(mail_id)).toMatchObject({ outcome: 'unneeded' });
  });

  test('except a code for an existing user where sign-up is off', async () => {
    const ours = await fresh({ sign_up: false });
    const { email } = await world.user({ project: ours.project });
    const { mail_id } = await ask(ours, '/codes', email);
    await deliver([mail_id]);
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('for a user of another project', async () => {
    const elsewhere = await world.user();
    const { mail_id } = await ask(await fresh(), '/passwords/forgotten', elsewhere.email);
    await deliver([mail_id]);
    expect(mailsTo(elsewhere.email)).toEqual([]);
  });

  test('for a missing mail, or for records of no new mail', async () => {
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

  test('for a deleted project', async () => {
    const { email, item, mail_id } = await ask(await fresh());
    expect(await feed([record({ ...item, project_id: 'gone' }, 0)])).toEqual([]);
    expect(mailsTo(email)).toEqual([]);
    expect(await itemOf(mail_id)).toMatchObject({ outcome: 'unneeded' });
  });

  const lifetimesOf: [what: string, life: number, outcome: string][] = [
    ['/sign-up', 86_400, 'sent'],
    ['/codes', 600, 'sent'],
    ['/links', 900, 'sent'],
    // If the workspace no longer requires it, or the address has no account, the mail is skipped.
    ['second_factor_required', 3_600, 'unneeded'],
    ['password_changed', 7 * 86_400, 'sent'],
  ];
  test.each(lifetimesOf)(
    '%s: it is sent for %i seconds, and then recorded as expired',
    async (what, life, outcome) => {
      const ours = await fresh();
      const path = what.startsWith('/') ? what : undefined;
      const [early, late] = [await ask(ours, path), await ask(ours, path)];
      const aged = ({ item }: typeof early, age: number, number: number) => {
        const created_at = new Date(Date.now() - age * 1_000).toISOString();
        return record({ ...item, created_at, ...(path ? {} : { kind: what }) }, number);
      };
      expect(await feed([aged(early, life - 30, 0), aged(late, life + 1, 1)])).toEqual([]);
      expect(await itemOf(early.mail_id)).toMatchObject({ outcome });
      expect(mailsTo(early.email)).toHaveLength(outcome === 'sent' ? 1 : 0);
      expect(mailsTo(late.email)).toEqual([]);
      expect(await itemOf(late.mail_id)).toMatchObject({ outcome: 'expired' });
    },
  );
});

describe('when the mail service refuses a mail', () => {
  test('temporarily, it is reported and sent by the next delivery', async () => {
    const { email, mail_id } = await ask(await fresh());
    const before = await itemOf(mail_id);
    // test/shared/mail/ses.test.ts has the others.
    world.outbox.failNext({ status: 429, code: 'TooManyRequestsException' }, 2);
    expect(await deliver([mail_id])).toEqual(['0']);
    expect(await deliver([mail_id])).toEqual(['0']);
    expect(await itemOf(mail_id)).toEqual({ ...before, write_id: expect.any(String) });
    expect(mailsTo(email)).toEqual([]);
    expect(await deliver([mail_id])).toEqual([]);
    expect(mailsTo(email)).toHaveLength(1);
    expect(await itemOf(mail_id)).toMatchObject({ outcome: 'sent' });
  });

  test('temporarily, the stream retries, and it is sent once', async () => {
    const ours = await fresh();
    await world.drainStream();
    world.outbox.failNext({ status: 503, code: 'ServiceUnavailable' }, 3);
    const { email } = await ask(ours);
    const other = await ask(ours);
    await world.drainStream();
    expect(mailsTo(email)).toHaveLength(1);
    expect(mailsTo(other.email)).toHaveLength(1);
  });

  test('or is unreachable, it is reported and sent by the next delivery', async () => {
    const { email, item, mail_id } = await ask(await fresh());
    vi.stubEnv('AWS_ENDPOINT_URL_SESV2', 'http://127.0.0.1:1');
    vi.resetModules();
    // A separate instance: the SDK's clients read the environment when they are created.
    const elsewhere = await fromSource('mail.send');
    expect(elsewhere).not.toBe(handler);
    const failed = await feed([record(item, 7)], 60_000, elsewhere);
    expect(failed).toEqual(['7']);
    expect(await deliver([mail_id])).toEqual([]);
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('a kind that only a later release knows waits for it, up to 5 minutes', async () => {
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

  test('a mail that cannot be composed blocks the mails behind it for an hour at most', async () => {
    const { item, mail_id } = await ask(await fresh());
    const faulty = (age: number) => {
      const created_at = new Date(Date.now() - age * 1_000).toISOString();
      return record({ ...item, kind: 'password_changed', to: 1, created_at }, 0);
    };
    expect(await feed([faulty(3_590)])).toEqual(['0']);
    expect(await feed([faulty(3_601)])).toEqual([]);
    expect(await itemOf(mail_id)).toMatchObject({ outcome: 'rejected' });
  });

  test.each([
    ['MessageRejected', 'Address is in no form: suspended@not-verified.example.com'],
    ['BadRequestException', 'Email address is not verified.'],
  ])('permanently (%s), it is recorded and not retried', async (code, message) => {
    const { email, mail_id } = await ask(await fresh());
    world.outbox.failNext({ status: 400, code, message });
    expect(await deliver([mail_id])).toEqual([]);
    expect(await itemOf(mail_id)).toMatchObject({ outcome: 'rejected' });
    expect(await deliver([mail_id])).toEqual([]);
    expect(mailsTo(email)).toEqual([]);
  });

  let hours = 0;
  test.each<[string, number, string?]>([
    ['MessageRejected', 400, 'Email address is not verified. The following identities failed'],
    ['MessageRejected', 400, 'Sending suspended for this account.'],
    ['AccountSuspendedException', 400],
    ['MailFromDomainNotVerifiedException', 400],
    ['NotFoundException', 404, 'Configuration set <Mails> does not exist.'],
  ])(
    'for a reason of the operator (%s), it is recorded, and the failed invocation rings the alarm once',
    async (code, status, message) => {
      // An instance rings once in five minutes.
      hours += 1;
      vi.setSystemTime(Date.now() + hours * 3_600_000);
      const ours = await fresh();
      const [{ email, mail_id }, next] = [await ask(ours), await ask(ours)];
      world.outbox.failNext({ status, code, ...(message && { message }) }, 2);
      await expect(deliver([mail_id])).rejects.toThrow('A mail is lost');
      expect(await itemOf(mail_id)).toMatchObject({ outcome: 'rejected' });
      expect(await deliver([mail_id])).toEqual([]);
      expect(mailsTo(email)).toEqual([]);
      expect(await deliver([next.mail_id])).toEqual([]);
      expect(await itemOf(next.mail_id)).toMatchObject({ outcome: 'rejected' });
    },
  );

  test('the others of the batch are sent', async () => {
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

describe('a mail that may have been sent is not sent again', () => {
  test.each<[string, Fault, number]>([
    ['a lost response', 'lose', 1],
    ['a missing response', 'hang', 0],
    // After it, the mail may have been sent.
    ['a failure of the mail service', { status: 500, code: 'InternalFailure' }, 0],
  ])('after %s', async (_, fault, sent) => {
    const { email, mail_id } = await ask(await fresh());
    world.outbox.failNext(fault);
    expect(await deliver([mail_id])).toEqual([]);
    expect(await itemOf(mail_id)).toMatchObject({ outcome: 'unknown' });
    expect(await deliver([mail_id])).toEqual([]);
    expect(mailsTo(email)).toHaveLength(sent);
  });

  test('after a timeout of the function while it waits for the response', async () => {
    const { mail_id } = await ask(await fresh());
    world.outbox.failNext('hang');
    await deliver([mail_id], reserve + 500);
    expect(await itemOf(mail_id)).toMatchObject({ outcome: 'unknown' });
    const before = world.mails().length;
    expect(await deliver([mail_id])).toEqual([]);
    expect(world.mails()).toHaveLength(before);
  });
});

test('a mail whose sender died after its claim, or never learned of it, is sent when that sender must have ended', async () => {
  const { email, mail_id } = await ask(await fresh());
  const claim = (age: number) =>
    world.table.update(keys.mail(mail_id), {
      claimed_at: new Date(Date.now() - age).toISOString(),
    });
  await claim(60_000);
  expect(await deliver([mail_id])).toEqual(['0']);
  expect(mailsTo(email)).toEqual([]);
  await claim(90_000);
  for (let i = 0; i < 2; i += 1) expect(await deliver([mail_id])).toEqual([]);
  expect(mailsTo(email)).toHaveLength(1);
  expect(await itemOf(mail_id)).toMatchObject({ outcome: 'sent' });
});

test('a function without enough time left sends nothing and reports that; the next delivery sends it once', async () => {
  const { email, item, mail_id } = await ask(await fresh());
  expect(await deliver([mail_id], reserve)).toEqual(['0']);
  expect(await itemOf(mail_id)).toEqual(item);
  for (let i = 0; i < 2; i += 1) expect(await deliver([mail_id])).toEqual([]);
  expect(mailsTo(email)).toHaveLength(1);
});

describe('without a sender of the deployment', () => {
  beforeEach(() => void vi.stubEnv('MAIL_SENDER', ''));

  test('a mail is rejected, and not sent once there is a sender', async () => {
    const { email, mail_id } = await ask(await fresh());
    expect(await deliver([mail_id])).toEqual([]);
    expect(await itemOf(mail_id)).toMatchObject({ outcome: 'rejected' });
    vi.stubEnv('MAIL_SENDER', 'late@example.com');
    expect(await deliver([mail_id])).toEqual([]);
    expect(mailsTo(email)).toEqual([]);
  });

  test('a project with its own sender still sends', async () => {
    const { email, mail_id } = await ask(await fresh({ mail_sender: 'own@acme.com' }));
    expect(await deliver([mail_id])).toEqual([]);
    expect(mailsTo(email)).toMatchObject([{ from: '"Test" <own@acme.com>' }]);
  });
});

describe('secrets and logs', () => {
  beforeEach(() => {
    vi.stubEnv('LOG_LEVEL', 'info');
    stderr.mockClear();
  });
  const written = () => stderr.mock.calls.map(([line]) => String(line));

  test.each(['/sign-up', '/codes', '/links'])(
    '%s: the token or code is in no item and no log line',
    async (path) => {
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
    },
  );

  test.each<[string, Fault]>([
    ['ServiceUnavailable', { status: 503, code: 'ServiceUnavailable' }],
    ['MessageRejected', { status: 400, code: 'MessageRejected' }],
  ])('%s: one log line names the mail, its project and the cause', async (name, fault) => {
    const ours = await fresh();
    const { mail_id } = await ask(ours);
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
        project_id: ours.project_id,
        cause: { name, message: expect.any(String), stack: expect.any(String) },
      },
    ]);
  });

  test('one log line reports a missing sender', async () => {
    const { mail_id } = await ask(await fresh());
    stderr.mockClear();
    vi.stubEnv('MAIL_SENDER', '');
    await deliver([mail_id]);
    expect(written().map((line) => JSON.parse(line))).toMatchObject([
      { level: 'error', mail_id, cause: { message: expect.stringContaining('mailSender') } },
    ]);
  });

  test('a sent mail is not logged', async () => {
    const { mail_id } = await ask(await fresh());
    stderr.mockClear();
    await deliver([mail_id]);
    expect(written()).toEqual([]);
  });
});
