/** @module-tag alone */
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Outbox, startOutbox } from '../../local/aws/ses.ts';
import { startGateway } from '../../local/http/gateway.ts';
import { mailPages } from '../../local/http/mail-page.ts';
import { local } from '../support/local-calls.ts';

let outbox: Outbox;
beforeEach(async () => {
  outbox = await startOutbox();
  return () => outbox.close();
});

const client = (maxAttempts = 1, requestTimeout = 5_000) =>
  new SESv2Client({
    endpoint: outbox.endpoint,
    ...local,
    maxAttempts,
    requestHandler: { requestTimeout, throwOnRequestTimeout: true },
  });
const mail = (subject = 'Hello', html = '<p>Hi</p>', text = 'Hi') =>
  new SendEmailCommand({
    FromEmailAddress: '"Acme" <no-reply@example.com>',
    Destination: { ToAddresses: ['ada@example.com'] },
    Content: {
      Simple: {
        Subject: { Data: subject, Charset: 'UTF-8' },
        Body: { Text: { Data: text, Charset: 'UTF-8' }, Html: { Data: html, Charset: 'UTF-8' } },
      },
    },
  });
const subjects = () => outbox.mails().map(({ subject }) => subject);

describe('the outbox', () => {
  test('stores a complete mail from the SDK', async () => {
    const { MessageId } = await client().send(mail('Grüße', '<b>ü</b>', 'ü'));
    expect(outbox.mails()).toEqual([
      {
        message_id: MessageId,
        received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        from: '"Acme" <no-reply@example.com>',
        to: 'ada@example.com',
        subject: 'Grüße',
        text: 'ü',
        html: '<b>ü</b>',
      },
    ]);
  });

  test('keeps the newest 200, the newest first', async () => {
    const ses = client();
    for (let i = 1; i <= 203; i += 1) await ses.send(mail(String(i)));
    expect(subjects()).toEqual(Array.from({ length: 200 }, (_, i) => String(203 - i)));
  });

  test('refuses mails that SES would refuse, or that the service does not use', async () => {
    const { input } = mail();
    for (const wrong of [
      { ...input, Destination: {} },
      { ...input, Content: { Raw: { Data: Buffer.from('x') } } },
    ])
      await expect(client().send(new SendEmailCommand(wrong))).rejects.toMatchObject({
        name: 'BadRequestException',
        $metadata: { httpStatusCode: 400 },
      });
    expect(subjects()).toEqual([]);
  });

  test('injected errors: the SDK gets them as often as configured, and retries those that it may', async () => {
    outbox.failNext({ status: 400, code: 'MessageRejected' });
    await expect(client().send(mail())).rejects.toMatchObject({ name: 'MessageRejected' });
    outbox.failNext({ status: 429, code: 'TooManyRequestsException' }, 2);
    const { $metadata } = await client(3).send(mail('third'));
    expect($metadata.attempts).toBe(3);
    expect(subjects()).toEqual(['third']);
  });

  test('injected hang: one request hangs, and its mail is not stored', async () => {
    outbox.failNext('hang');
    const name = 'TimeoutError';
    await expect(client(1, 100).send(mail('lost'))).rejects.toMatchObject({ name });
    await client().send(mail('next'));
    expect(subjects()).toEqual(['next']);
  });

  test('injected connection loss: the mail is stored, and the sender gets an error', async () => {
    outbox.failNext('lose');
    await expect(client().send(mail('taken'))).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(subjects()).toEqual(['taken']);
  });
});

describe('the page of the local server', () => {
  let url: string;
  beforeEach(async () => {
    const load = async () => async () => ({ statusCode: 404, body: 'a function' });
    const gateway = await startGateway({ routes: [], load, page: mailPages(outbox.mails) });
    url = gateway.url;
    return () => gateway.close();
  });
  const get = async (path: string, method = 'GET') => {
    const response = await fetch(`${url}${path}`, { method });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  test('shows the newest mails first, as JSON and as HTML', async () => {
    const ses = client();
    await ses.send(mail('first', '<html><head><title>x</title></head>Body</html>', 'plain words'));
    await ses.send(mail('second'));
    const json = await get('/_local/mail.json');
    const page = await get('/_local/mail?reload');
    expect(json.headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(json.text)).toEqual(outbox.mails());
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text.indexOf('<h2>second</h2>')).toBeLessThan(page.text.indexOf('<h2>first</h2>'));
    for (const part of ['ada@example.com', 'plain words', outbox.mails()[0]?.received_at])
      expect(page.text).toContain(part);
    expect(page.text).toContain('&#60;head&#62;&#60;base target=&#34;_blank&#34;&#62;');
  });

  test('escapes mails in the page, and lets no script of a mail run', async () => {
    const evil = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;`;
    await client().send(mail(evil, evil, evil));
    const { text, headers } = await get('/_local/mail');
    expect(text).not.toMatch(/<script|<img|onerror=alert\(1\)>/);
    expect(text.split('&#60;script&#62;alert(1)&#60;/script&#62;')).toHaveLength(5);
    expect(text).toContain('&#38;amp;');
    const [frame = ''] = /<iframe [^>]*>/.exec(text) ?? [];
    expect(frame).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
    expect(frame).toMatch(/ srcdoc="&#34;&#39;&#62;&#60;script[^"<>]*">$/);
    const policy = headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; /);
    expect(policy).not.toContain('script');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('says that there are no mails yet', async () => {
    expect((await get('/_local/mail')).text).toContain('None yet.');
    expect((await get('/_local/mail.json')).text).toBe('[]');
  });

  test('leaves all other paths and methods to the API', async () => {
    for (const path of ['/_local', '/_local/mail/', '/_local/mail.jso', '/x/_local/mail'])
      expect(await get(path)).toMatchObject({ status: 404, text: 'a function' });
    expect(await get('/_local/mail', 'POST')).toMatchObject({ status: 404, text: 'a function' });
  });
});
