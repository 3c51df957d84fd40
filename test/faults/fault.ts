import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A call to DynamoDB: the operation, such as `GetItem`, its parsed body, and its text, which identifies retries. */
export type Call = {
  operation: string;
  body: Record<string, unknown>;
  text: string;
  /** The name of the request that makes it, if it has one. */
  lane?: string | undefined;
};

/** Whether a call writes several items at once, as most changes do. */
export const isTransaction = ({ operation }: Call): boolean => operation === 'TransactWriteItems';

/** DynamoDB's response to a call. */
export type Answered = { status: number; text: string };

export type Exchange = Call & {
  response: ServerResponse;
  /** Sends the call, or another one in its place, to the engine. */
  forward(body?: unknown): Promise<Answered>;
};

/** Replaces the engine's plain response to a call. */
export type Fault = (exchange: Exchange) => Promise<unknown>;

/** Milliseconds: longer than the timeout of the service's client. */
const tooLong = 650;

/** Responds to a call. */
export const answer = (response: ServerResponse, { status, text }: Answered): unknown =>
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(text);

/** An exception in DynamoDB's format. */
export const asException = (name: string, status = 400, more: object = {}): Answered => ({
  status,
  text: JSON.stringify({
    __type: `com.amazonaws.dynamodb.v20120810#${name}`,
    message: name,
    ...more,
  }),
});

/** DynamoDB responds with an exception; the engine does not get the call. */
export const exception =
  (name: string, status = 400, more: object = {}): Fault =>
  async ({ response }) =>
    answer(response, asException(name, status, more));

/** A transaction is cancelled with these reasons, one for each item. */
export const cancelled = (...codes: string[]): Fault =>
  exception('TransactionCanceledException', 400, {
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

/** The connection breaks after the engine has executed the call. */
export const resetAfter: Fault = async ({ forward, response }) => {
  await forward();
  response.destroy();
};

/** The connection breaks in the middle of the response. */
export const truncatedAnswer: Fault = async ({ forward, response }) => {
  const { text } = await forward();
  response.writeHead(200, { 'content-length': Buffer.byteLength(text) });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
};

/** Half of the response arrives as if it were complete. */
export const halfAnswer: Fault = async ({ forward, response }) => {
  const { text } = await forward();
  answer(response, { status: 200, text: text.slice(0, Math.max(1, text.length / 2)) });
};

/** The engine has executed the call, and DynamoDB responds with an error. */
export const failsAfter: Fault = async (exchange) => {
  await exchange.forward();
  await exception('InternalServerError', 500)(exchange);
};

/** The engine has executed the call, and no response is sent. */
export const hangsAfter: Fault = async ({ forward }) => forward();

/** The response arrives after the client's timeout. */
export const lateAnswer: Fault = async ({ forward, response }) => {
  const answered = await forward();
  await sleep(tooLong);
  answer(response, answered);
};

/** The call reaches the engine after the client's timeout, and perhaps after its retry. */
export const lateCall: Fault = async ({ forward, response }) => {
  await sleep(tooLong);
  answer(response, await forward());
};

/** The connection breaks before the engine gets the call. */
export const resetBefore: Fault = async ({ response }) => response.destroy();

/** An intermediary between the service and DynamoDB responds instead. */
export const pageOfProxy: Fault = async ({ response }) =>
  response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');

/** The call never reaches the engine, and no response is sent. */
export const hangsBefore: Fault = async () => {};

/** Faults that lose the response after the engine has executed the call. */
export const lostAnswers: Record<string, Fault> = {
  'reset after it was done': resetAfter,
  'an answer that breaks off': truncatedAnswer,
  'half an answer': halfAnswer,
  'a 500 after it was done': failsAfter,
  'silence after it was done': hangsAfter,
};

/** Faults in which the engine does not get the call. */
export const lostCalls: Record<string, Fault> = {
  'reset before it was done': resetBefore,
  'a page of a proxy': pageOfProxy,
  silence: hangsBefore,
};

/** Only the first `count` keys or writes of a batch are processed; the others come back unprocessed. */
export const onlyTheFirst =
  (count: number): Fault =>
  async ({ operation, body, forward, response }) => {
    const [table = '', all] = Object.entries(body['RequestItems'] as object)[0] ?? [];
    const reading = operation === 'BatchGetItem';
    const cut = (from: number, to?: number) =>
      reading ? { ...all, Keys: all.Keys.slice(from, to) } : all.slice(from, to);
    const { text } = await forward({ ...body, RequestItems: { [table]: cut(0, count) } });
    const rest = cut(count);
    const left = (reading ? rest.Keys : rest).length > 0 ? { [table]: rest } : {};
    const name = reading ? 'UnprocessedKeys' : 'UnprocessedItems';
    answer(response, { status: 200, text: JSON.stringify({ ...JSON.parse(text), [name]: left }) });
  };

/** The call is executed, but the response waits for other work. */
export const answeredAfter =
  (work: () => Promise<unknown>): Fault =>
  async ({ forward, response }) => {
    const answered = await forward();
    await work();
    answer(response, answered);
  };

/** The call reaches the engine only after other work. */
export const doneAfter =
  (work: () => Promise<unknown>): Fault =>
  async ({ forward, response }) => {
    await work();
    answer(response, await forward());
  };

/** The call reaches the engine changed. */
export const changed =
  (change: (body: Record<string, unknown>) => object): Fault =>
  async ({ body, forward, response }) =>
    answer(response, await forward(change(body)));
