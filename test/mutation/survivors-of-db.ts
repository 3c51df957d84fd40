import { living } from './living.ts';
import type { Survivor } from './survivors.ts';

const batchLoader = 'shared/db/batch-loader.ts';
const batchWrite = 'shared/db/batch-write.ts';
const client = 'shared/db/client.ts';
const commit = 'shared/db/commit.ts';
const expressions = 'shared/db/expressions.ts';
const modified = 'shared/db/modified-at.ts';
const page = 'shared/db/page.ts';
const query = 'shared/db/query.ts';
const transaction = 'shared/db/transaction.ts';

const recordKind =
  "if (recording.kind !== 'update') throw new Error('The record of a response must be an update.');";
const marshalling = 'marshallOptions: { removeUndefinedValues: true },';
const notError = 'if (!(error instanceof Error)) return false;';
const permanentReason =
  "return (error.CancellationReasons ?? []).some(({ Code = '' }) => permanentReasons.has(Code));";
const readFirst = "if (!change.read || only?.kind !== 'update') return { writes, expected };";
const unprocessed =
  "if (left) await pause(attempt, new Error('BatchWriteItem left items unprocessed'));";
const attributes = "Object.entries(item).filter(([name]) => name !== 'pk' && name !== 'sk');";

/** As `survivors`, of `shared/db`. */
export const survivorsOfDb: readonly Survivor[] = [
  ...living(
    'shared/db/transport/failed-condition.ts',
    'Without a match there is one element less than the name needs, whatever it is.',
    [
      String.raw`const [, name] = /"__type":"[\w.]+#(\w+)"/.exec(text) ?? [];`,
      '[]',
      '["Stryker was here"]',
    ],
  ),
  ...living('shared/db/transport/clock.ts', 'Neither text is a date.', [
    "const server = Date.parse(headers.date ?? '');",
    "''",
    '"Stryker was here!"',
  ]),
  ...living(
    commit,
    'A mistake of our own, which no caller makes: every record is an update.',
    [recordKind, "recording.kind !== 'update'", 'false'],
    [recordKind, "'The record of a response must be an update.'", '""'],
  ),
  ...living(
    commit,
    'A change that can be read is one update; the compiler does not know.',
    ["if (only?.kind === 'update' && change.read)", "only?.kind === 'update'", 'true'],
    [readFirst, "only?.kind !== 'update'", 'false'],
    [readFirst, 'only?.kind', 'only.kind'],
  ),
  ...living(commit, 'A change of one item takes what is not among the failed for missing too.', [
    'if (!item) throw new ConditionFailed({ item: null });',
    '{ item: null }',
    '{}',
  ]),
  ...living(commit, 'It saves time: where nothing is expected, nothing is added.', [
    'if (expected.length === 0) return transact(writes, options);',
    'expected.length === 0',
    'false',
  ]),
  ...living(
    commit,
    'The key of an item never changes, so it may be compared with the rest.',
    [
      attributes,
      "Object.entries(item).filter(([name]) => name !== 'pk' && name !== 'sk')",
      'Object.entries(item)',
    ],
    [attributes, "name !== 'pk' && name !== 'sk'", 'true'],
    [attributes, "name !== 'pk' && name !== 'sk'", "name !== 'pk' || name !== 'sk'"],
    [attributes, "name !== 'pk'", 'true'],
    [attributes, "'pk'", '""'],
    [attributes, "name !== 'sk'", 'true'],
    [attributes, "'sk'", '""'],
  ),
  ...living(commit, 'A name among the writes of a transaction, which no change gives to its own.', [
    "const recordName = 'idempotency';",
    "'idempotency'",
    '""',
  ]),
  ...living(
    transaction,
    'A transaction that is cancelled says why for each of its writes; the compiler does not know.',
    [
      'for (const [i, { Code, Item }] of (error.CancellationReasons ?? []).entries()) {',
      '[]',
      '["Stryker was here"]',
    ],
    ['const [name] = entries[i] ?? [];', '[]', '["Stryker was here"]'],
    ["if (name !== undefined && Code === 'ConditionalCheckFailed')", 'name !== undefined', 'true'],
  ),
  ...living(transaction, 'Without reasons no condition has failed, and the same error is thrown.', [
    'if (!(error instanceof TransactionCanceledException)) throw error;',
    '!(error instanceof TransactionCanceledException)',
    'false',
  ]),
  ...living(transaction, 'What makes a put of it does not look at its kind.', [
    "const { Item, ...expressions } = toPut({ kind: 'put', item: stored, condition: free });",
    "'put'",
    '""',
  ]),
  ...living(
    expressions,
    'Every expression has a name; the compiler does not know.',
    [
      'const names = expressions.flatMap((expression) => expression.match(/#\\w+/g) ?? []);',
      '[]',
      '["Stryker was here"]',
    ],
    ['...(names.length > 0 && {', 'names.length > 0', 'true'],
    ['...(names.length > 0 && {', 'names.length > 0', 'names.length >= 0'],
  ),
  ...living(expressions, 'No item has an attribute of that name to lose.', [
    'const { set, setIfAbsent: setOnce, add, increment: count, remove = [] } = changes;',
    '[]',
    '["Stryker was here"]',
  ]),
  ...living(
    modified,
    'Of two equal times it is the same which one is taken.',
    [
      'return text > modified_at ? text : modified_at;',
      'text > modified_at',
      'text >= modified_at',
    ],
    [
      'const last = deleted_at > modified_at ? deleted_at : modified_at;',
      'deleted_at > modified_at',
      'deleted_at >= modified_at',
    ],
  ),
  ...living(modified, 'Nothing is not later than a time; the compiler does not know.', [
    "if (typeof latest === 'string' && latest > modified_at)",
    "typeof latest === 'string'",
    'true',
  ]),
  ...living(
    batchWrite,
    'How long it waits before it tries again what was left; what is written in the end is the same.',
    ['for (let attempt = 0; left; attempt += 1) {', 'attempt += 1', 'attempt -= 1'],
    [unprocessed, 'left', 'true'],
    [unprocessed, 'left', 'false'],
  ),
  ...living(batchWrite, 'The table always says what it left; the compiler does not know.', [
    'left = UnprocessedItems?.[TableName];',
    'UnprocessedItems?.[TableName]',
    'UnprocessedItems[TableName]',
  ]),
  ...living(batchWrite, 'The cause of a failure, for the log.', [
    unprocessed,
    "'BatchWriteItem left items unprocessed'",
    '""',
  ]),
  ...living(query, 'A query is always answered with items; the compiler does not know.', [
    'start = await readUpTo(limit, start, selection, ({ Items = [] }) => {',
    '[]',
    '["Stryker was here"]',
  ]),
  ...living(
    query,
    'What is undefined, or no number, is not sent.',
    ['...(left !== undefined && { Limit: left }),', 'left !== undefined', 'true'],
    ['if (left !== undefined) left -= taken;', 'left !== undefined', 'true'],
  ),
  ...living(page, 'Nothing is before no position; the compiler does not know.', [
    'const passed = (each: T) => after !== undefined && positionOf(each) <= after;',
    'after !== undefined',
    'true',
  ]),
  ...living(
    page,
    'A page after which there is more has a last element; the compiler does not know.',
    [
      'return { items, next: more && last !== undefined ? positionOf(last) : undefined };',
      'last !== undefined',
      'true',
    ],
  ),
  ...living(
    batchLoader,
    'A batch is always answered with both; the compiler does not know.',
    [
      'for (const item of answer.Responses?.[TableName] ?? []) keep(item);',
      '[]',
      '["Stryker was here"]',
    ],
    [
      'request = answer.UnprocessedKeys?.[TableName] ? answer.UnprocessedKeys : undefined;',
      'answer.UnprocessedKeys?.[TableName]',
      'answer.UnprocessedKeys[TableName]',
    ],
  ),
  ...living(batchLoader, 'It saves a moment of waiting where nothing was left.', [
    "if (request) await pause(attempt, new Error('BatchGetItem left keys unprocessed'));",
    'request',
    'true',
  ]),
  ...living(batchLoader, 'The cause of a failure, for the log.', [
    "if (request) await pause(attempt, new Error('BatchGetItem left keys unprocessed'));",
    "'BatchGetItem left keys unprocessed'",
    '""',
  ]),
  ...living(
    client,
    'Both transports answer alike: test/lib/bundle.test.ts has a bundle on each.',
    ...['true', 'false', "env.tableTransport() !== 'sdk'"].map((by): [string, string, string] => [
      "env.tableTransport() === 'sdk'",
      "env.tableTransport() === 'sdk'",
      by,
    ]),
    ["env.tableTransport() === 'sdk'", "'sdk'", '""'],
  ),
  ...living(client, 'The cause of a failure, for the log.', [
    "if (Date.now() >= deadline) throw serviceUnavailable(new Error('No time is left.'));",
    "'No time is left.'",
    '""',
  ]),
  ...living(
    client,
    'What is thrown is an Error; the compiler does not know.',
    [notError, '!(error instanceof Error)', 'false'],
    [notError, 'false', 'true'],
  ),
  ...living(
    client,
    'A cancelled transaction has a reason with a code for each of its writes; the compiler does not know.',
    [
      "(error.CancellationReasons ?? []).some(({ Code }) => Code === 'TransactionConflict')",
      '[]',
      '["Stryker was here"]',
    ],
    [permanentReason, '[]', '["Stryker was here"]'],
    [permanentReason, "''", '"Stryker was here!"'],
    ['return (error.CancellationReasons ?? []).every(({ Code }) =>', '[]', '["Stryker was here"]'],
    ["transientReasons.has(Code ?? 'None'),", "'None'", '""'],
  ),
  ...living(
    client,
    'Nothing is in no list, and not larger than a status; the compiler does not know.',
    [
      "notConnected.includes((error as { code?: string }).code ?? '');",
      "''",
      '"Stryker was here!"',
    ],
    [
      '(status !== undefined && (status >= 500 || status === 429)) ||',
      'status !== undefined',
      'true',
    ],
    ['(code !== undefined && brokenConnection.has(code)) ||', 'code !== undefined', 'true'],
  ),
  ...living(client, 'The exception that a response stands for has its status in both places.', [
    'const status = $metadata?.httpStatusCode ?? $response?.statusCode ?? 0;',
    '$metadata?.httpStatusCode ?? $response?.statusCode',
    '$metadata?.httpStatusCode && $response?.statusCode',
  ]),
  ...living(
    client,
    "Read by the SDK's transport alone, which test/lib/bundle.test.ts runs; the other sends no undefined value.",
    ['export const dynamodb = DynamoDBDocumentClient.from(client, {', '{', '{}'],
    [marshalling, '{ removeUndefinedValues: true }', '{}'],
    [marshalling, 'true', 'false'],
  ),
];
