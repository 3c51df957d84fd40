import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { log } from '#shared/http/log.ts';

const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
beforeEach(() => {
  vi.stubEnv('LOG_LEVEL', 'info');
  stderr.mockClear();
});
afterEach(() => vi.unstubAllEnvs());

const line = { level: 'error', operation: 'mail.send', request_id: 'r', duration_ms: 1 } as const;
const written = () => stderr.mock.calls.map(([text]) => JSON.parse(String(text)));

test('an exception and its causes are logged with name, message and stack, and no other field', () => {
  const first = Object.assign(new Error('first'), { Item: { secret: 'x' } });
  log({ ...line, cause: new TypeError('second', { cause: first }) });
  const stack = expect.stringContaining('log.test.ts');
  const cause = { name: 'Error', message: 'first', stack };
  const shown = { name: 'TypeError', message: 'second', stack, cause };
  expect(written()).toEqual([{ ...line, cause: shown }]);
});

test('an e-mail in a message is masked, in the stack too', () => {
  const about = 'Not verified. The following identities failed the check in region EU-WEST-1:';
  const message = `${about} ada+news@mail.example.com, Ada <ada@example.com>, o'hara/x@example.org`;
  log({ ...line, cause: new Error('The mail was refused.', { cause: new Error(message) }) });
  const [{ cause }] = written();
  const masked = ' ***@mail.example.com, Ada <***@example.com>, ***@example.org';
  expect(cause.cause.message).toBe(about + masked);
  expect(JSON.stringify(cause)).not.toMatch(/ada@|news|hara/);
});

test('a password hash in a message is masked, for every algorithm', () => {
  const tags = ['argon2id$v=19$m=1,t=1,p=1$c2FsdA$dGFn', '2b$10$./abc', 'scrypt$ln=1,r=1$c2F$dGFn'];
  const others = ['pbkdf2-sha512$i=1$c2FsdA$dGFn', 'firebase-scrypt$ln=1,r=1,ss=,sk=a+b$c2F$dGFn'];
  for (const hash of [...tags, ...others]) {
    log({ ...line, cause: new Error(`The value $${hash} is wrong.`) });
    expect(written().at(-1).cause.message).toBe('The value *** is wrong.');
  }
});

test('a package in a stack is not masked as an e-mail', () => {
  const cause = new Error('x');
  cause.stack = 'Error: x\n    at send (/var/task/node_modules/@aws-sdk/core/index.js:1:2)';
  log({ ...line, cause });
  expect(written()[0].cause.stack).toBe(cause.stack);
});

test('a thrown value that is not an exception is logged by its type only', () => {
  log({ ...line, cause: 'ada@example.com' });
  expect(written()).toEqual([{ ...line, cause: { message: 'string' } }]);
});
