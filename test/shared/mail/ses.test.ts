/** @module-tag alone */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { mailbox, type Sending } from '#shared/mail/ses.ts';
import { freePort } from '../../../local/loopback.ts';
import { anyCharacter } from '../../support/characters.ts';
import { serve } from '../../support/serve.ts';

const mail = {
  from: '"Acme" <no-reply@example.com>',
  to: 'ada@example.com',
  subject: 'Grüße',
  text: 'Hallo ü',
  configuration_set: 'mails',
  tags: { project_id: 'demo', mail_kind: 'sign_up' },
  html: '<p>ü</p>',
};

/** The requests to the mail service, and its responses. */
const endpoint = await serve((request, response) => answer(request, response));
let answer: RequestListener = () => {};
let calls = 0;

beforeAll(() => {
  vi.stubEnv('AWS_REGION', 'local');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
});
beforeEach(() => {
  calls = 0;
});
afterEach(() => vi.resetModules());

/** Sends with a new client, because the SDK's clients read the environment on creation. */
async function send(to = endpoint, signal = AbortSignal.timeout(10_000)): Promise<Sending> {
  vi.stubEnv('AWS_ENDPOINT_URL_SESV2', to);
  const { sendMail } = await import('#shared/mail/ses.ts');
  return sendMail(mail, signal);
}

/** Makes the service respond like this, and counts its requests. */
function answering(status: number, body: string, headers: Record<string, string> = {}): void {
  answer = (request, response) => {
    calls += 1;
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
}
const failing = (status: number, name: string) =>
  answering(status, '{"message":"An injected fault."}', { 'x-amzn-errortype': name });

describe('sending', () => {
  test('passes the whole mail to SES in UTF-8, marked as automatic', async () => {
    let sent = '';
    answer = (request, response) => {
      request.on('data', (chunk: Buffer) => (sent += chunk.toString()));
      request.on('end', () => {
        expect([request.method, request.url]).toEqual(['POST', '/v2/email/outbound-emails']);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"MessageId":"m-1"}');
      });
    };
    expect(await send()).toEqual({ outcome: 'sent', message_id: 'm-1' });
    const part = (Data: string) => ({ Data, Charset: 'UTF-8' });
    expect(JSON.parse(sent)).toEqual({
      FromEmailAddress: mail.from,
      Destination: { ToAddresses: [mail.to] },
      ConfigurationSetName: 'mails',
      EmailTags: [
        { Name: 'project_id', Value: 'demo' },
        { Name: 'mail_kind', Value: 'sign_up' },
      ],
      Content: {
        Simple: {
          Subject: part(mail.subject),
          Body: { Text: part(mail.text), Html: part(mail.html) },
          Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
        },
      },
    });
  });

  test.each([
    [429, 'TooManyRequestsException'],
    [400, 'TooManyRequestsException'],
    [400, 'ThrottlingException'],
    [400, 'LimitExceededException'],
    [400, 'SendingPausedException'],
    [403, 'AccessDeniedException'],
    [503, 'ServiceUnavailable'],
  ])('is busy on %s %s, and not retried immediately', async (status, name) => {
    failing(status, name);
    expect(await send()).toMatchObject({ outcome: 'busy', cause: { name } });
    expect(calls).toBe(1);
  });

  test.each([
    [400, 'MessageRejected'],
    [400, 'BadRequestException'],
    [400, 'AccountSuspendedException'],
    [400, 'MailFromDomainNotVerifiedException'],
    [404, 'NotFoundException'],
  ])('is refused permanently on %s %s', async (status, name) => {
    failing(status, name);
    expect(await send()).toMatchObject({ outcome: 'rejected', cause: { name } });
    expect(calls).toBe(1);
  });

  test.each([500, 502, 504])('has an unknown outcome on %s, and is not retried', async (status) => {
    failing(status, 'InternalServiceErrorException');
    expect(await send()).toMatchObject({ outcome: 'unknown' });
    expect(calls).toBe(1);
  });

  test('is busy if the connection is refused, because the mail never left', async () => {
    const sending = await send(`http://127.0.0.1:${await freePort()}`);
    expect(sending).toMatchObject({ outcome: 'busy', cause: { code: 'ECONNREFUSED' } });
  });

  test('is busy if the connection is not accepted in time', async () => {
    // Listens and takes no connection: beyond those that wait already, the system answers nothing.
    const listen = `require('node:net').createServer().listen(0, '127.0.0.1', 1, function () {
      require('node:worker_threads').parentPort.postMessage(this.address().port);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    })`;
    const worker = new Worker(listen, { eval: true });
    const [port] = (await once(worker, 'message')) as [number];
    const waiting = Array.from({ length: 4 }, () => connect(port, '127.0.0.1'));
    await once(waiting[0]!, 'connect');
    const sending = await send(`http://127.0.0.1:${port}`);
    expect(sending).toMatchObject({ outcome: 'busy', cause: { name: 'TimeoutError' } });
    for (const each of waiting) each.destroy();
    await worker.terminate();
  });

  test('does not reuse a connection that ended since the last mail', async () => {
    const used = new WeakSet<Socket>();
    answer = (request, response) => {
      if (used.has(request.socket)) return void response.destroy();
      used.add(request.socket);
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"MessageId":"1"}');
    };
    vi.stubEnv('AWS_ENDPOINT_URL_SESV2', endpoint);
    const { sendMail } = await import('#shared/mail/ses.ts');
    for (let i = 0; i < 3; i += 1)
      expect(await sendMail(mail, AbortSignal.timeout(10_000))).toMatchObject({ outcome: 'sent' });
  });

  test.each<[string, RequestListener]>([
    ['that never begins', (_, response) => void response.destroy()],
    [
      'that breaks off in its body',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100', 'content-type': 'application/json' });
        response.write('{"Mess', () => response.destroy());
      },
    ],
    [
      'that is not from SES',
      (_, response) => void response.writeHead(200).end('<h1>Welcome to the hotel</h1>'),
    ],
  ])('has an unknown outcome after a response %s, and is not retried', async (_, listener) => {
    answer = (request, response) => {
      calls += 1;
      request.resume().on('end', () => listener(request, response));
    };
    expect(await send()).toMatchObject({ outcome: 'unknown', cause: expect.any(Error) });
    expect(calls).toBe(1);
  });

  test('has an unknown outcome after silence until the deadline', async () => {
    answer = (request) => {
      calls += 1;
      request.resume();
    };
    expect(await send(endpoint, AbortSignal.timeout(200))).toMatchObject({ outcome: 'unknown' });
    expect(calls).toBe(1);
  });
});

describe('the mailbox of a sender', () => {
  const address = 'hello@example.com';
  /** The name as a mail program shows it (RFC 2047). */
  const decoded = (box: string) =>
    box
      .slice(0, box.lastIndexOf(' <'))
      .split(' ')
      .map((word) => Buffer.from(/^=\?UTF-8\?B\?(.+)\?=$/.exec(word)?.[1] ?? '', 'base64'))
      .map((bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes))
      .join('');

  test.each([
    ['Acme', '"Acme" <hello@example.com>'],
    ['Acme, Inc. (EU)', '"Acme, Inc. (EU)" <hello@example.com>'],
    ['  ', 'hello@example.com'],
    ['"Ac\\me" <ceo@bank.com>', '"Ac me   ceo@bank.com" <hello@example.com>'],
    ['Acme\r\nBcc: x@example.com', '"Acme  Bcc: x@example.com" <hello@example.com>'],
    ['Grüße', '=?UTF-8?B?R3LDvMOfZQ==?= <hello@example.com>'],
  ])('%j is %j', (name, expected) => {
    expect(mailbox(name, address)).toBe(expected);
  });

  test('keeps a name of any script, in encoded words of a valid length', () => {
    for (const name of [
      'Österreichische Universität',
      '株式会社アイデンティティ・ワークスペース',
      '🦊'.repeat(30),
    ])
      expect(decoded(mailbox(name, address))).toBe(name);
  });

  /** The greatest length of an address (RFC 5321, section 4.5.3.1). */
  const longAddress = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;

  test('is one line with one address and no word that is too long, for any name', () => {
    const anyName = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 128 }),
      fc.string({ unit: fc.constantFrom('x', ' ', 'ü', '社', '🦊'), maxLength: 128 }),
    );
    fc.assert(
      fc.property(anyName, fc.constantFrom(address, longAddress), (name, to) => {
        const box = mailbox(name, to);
        expect(box.length).toBeLessThanOrEqual(320);
        expect(box).toMatch(/^[\x20-\x7e]*$/);
        expect(box === to || box.endsWith(` <${to}>`)).toBe(true);
        expect(box.slice(0, -to.length - 1).match(/[<>]/g) ?? []).toHaveLength(box === to ? 0 : 1);
        for (const word of box.split(' ')) {
          if (word.startsWith('=?')) expect(word.length).toBeLessThanOrEqual(75);
        }
      }),
    );
  });

  test.each([
    ['社', address, 60],
    ['🦊', address, 44],
    ['社', longAddress, 12],
    ['x', longAddress, 61],
  ])('keeps as much of a name of 64 %s as SES accepts with %s', (character, to, left) => {
    const box = mailbox(character.repeat(64), to);
    expect(character === 'x' ? box.slice(1, -to.length - 4) : decoded(box)).toBe(
      character.repeat(left),
    );
  });

  test('does not end with a space after it was shortened', () => {
    expect(decoded(mailbox(`${'社'.repeat(59)}  社`, address))).toBe('社'.repeat(59));
  });

  test('is the address alone if that leaves no room for a name', () => {
    const to = `${'a'.repeat(64)}@${'b'.repeat(245)}.test`;
    for (const name of ['x', '社']) expect(mailbox(name, to)).toBe(to);
  });

  test('has at most 64 characters of a name', () => {
    expect(mailbox('x'.repeat(128), address)).toBe(`"${'x'.repeat(64)}" <${address}>`);
    expect(decoded(mailbox('ü'.repeat(128), address))).toBe('ü'.repeat(64));
  });
});
