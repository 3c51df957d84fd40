import { living } from './living.ts';
import type { Survivor } from './survivors.ts';

const connection = 'shared/db/transport/connection.ts';
const connections = 'shared/db/transport/connections.ts';
const http = 'shared/db/transport/http.ts';
const json = 'shared/db/transport/json.ts';
const response = 'shared/db/transport/response.ts';

const socketOptions = 'this.#socket.setNoDelay(true).setKeepAlive(true, silence);';
const isText = "if (typeof body === 'string') {";
const onClose = "this.#socket.on('close', () => {";
const keepAlive = "function untilOf({ headers: { 'keep-alive': keptFor = '' } }: Whole): number {";
const timeout = String.raw`const [, seconds] = /\btimeout=(\d+)/.exec(keptFor) ?? [];`;
const usable = 'return performance.now() < this.#until;';
const headers =
  "if (end < 0 ? size > maxHead : end > maxHead) throw malformed('Its headers are too long.');";
const statusLine = String.raw`const [statusLine = '', ...lines] = text.split('\r\n');`;
const version = String.raw`const [, minor, status] = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(statusLine) ?? [];`;
const keepsOpen = String.raw`minor === '1' && length !== 'until the end' && !/\bclose\b/i.test(headers['connection'] ?? '');`;
const chunk = String.raw`/^([\da-f]{1,8})(?:[ \t]*;.*)?$/i.exec(bytes.toString('latin1', at, end)) ?? [];`;
const someText = '"Stryker was here!"';
const someList = '["Stryker was here"]';

/** As `survivors`, of `shared/db/transport`. */
export const survivorsOfTransport: readonly Survivor[] = [
  ...living(
    connection,
    'No packet waits or is lost on the way to this machine, so only the system sees it.',
    [socketOptions, 'true', 'false'],
  ),
  ...living(connection, 'No server here refuses a session of TLS that it has given.', [
    'sessions.delete(to.origin);',
    'sessions.delete(to.origin);',
    ';',
  ]),
  ...living(
    connection,
    'Node ends or fails a connection before it closes it; a connection that closed without either must not stay.',
    [onClose, "'close'", '""'],
    [onClose, '{', '{}'],
  ),
  ...living(connection, 'It closes some turns later, and is of no use in between.', [
    'this.end();',
    'this.end();',
    ';',
  ]),
  ...living(connection, 'No test meets the fraction of a microsecond.', [
    usable,
    'performance.now() < this.#until',
    'performance.now() <= this.#until',
  ]),
  ...living(
    connection,
    'Whether a process lives on is seen from outside, in a process that Stryker does not change.',
    ['this.#socket.ref();', 'this.#socket.ref();', ';'],
    ['this.#socket.unref();', 'this.#socket.unref();', ';'],
  ),
  ...living(
    connection,
    'The same bytes go in one write or two, which costs more.',
    [isText, "typeof body === 'string'", 'true'],
    [isText, "typeof body === 'string'", 'false'],
    [isText, "typeof body === 'string'", "typeof body !== 'string'"],
    [isText, "'string'", '""'],
    [isText, '{', '{}'],
    ['this.#socket.cork();', 'this.#socket.cork();', ';'],
  ),
  ...living(
    connection,
    'Neither has a number after `timeout=`.',
    [keepAlive, "''", someText],
    [timeout, '[]', someList],
  ),
  ...living(connections, 'There is nothing else in the set to delete.', [
    'if (next) this.#waiting.delete(next);',
    'next',
    'true',
  ]),
  ...living(http, 'To show a request to nobody does nothing.', [
    'if (!sendings.hasSubscribers) return undefined;',
    '!sendings.hasSubscribers',
    'false',
  ]),
  ...living(json, 'The SDK makes the same error of it, for which it is loaded.', [
    'if (failed) throw failed;',
    'failed',
    'false',
  ]),
  ...living(response, 'To join one buffer gives an equal one, for more time.', [
    'if (received.length !== 1) received = [Buffer.concat(received)];',
    'received.length !== 1',
    'true',
  ]),
  ...living(response, 'Without anything before the blank line it is refused all the same.', [
    headers,
    'end < 0',
    'end <= 0',
  ]),
  ...living(response, 'Such a response has closed its connection already.', [
    "head?.length === 'until the end' ? whole({ body: joined(), isExact: true }) : undefined,",
    'true',
    'false',
  ]),
  ...living(response, 'A text that is split has a first part; the compiler does not know.', [
    statusLine,
    "''",
    someText,
  ]),
  ...living(
    response,
    'The list stands for no match. Its first entry is skipped, as the whole match is.',
    [version, '[]', someList],
    [chunk, '[]', someList],
  ),
  ...living(response, 'Neither says that the connection closes.', [keepsOpen, "''", someText]),
  ...living(response, 'The blank line is never at the very beginning: a length is before it.', [
    'return last < 0 ? undefined : { body: Buffer.concat(contents), isExact };',
    'last < 0',
    'last <= 0',
  ]),
  ...living(response, 'The next chunk is awaited anyway.', [
    'if (bytes.length < at) return undefined;',
    'bytes.length < at',
    'bytes.length <= at',
  ]),
];
