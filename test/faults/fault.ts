import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A call to DynamoDB as it arrived: `GetItem`, its parsed body, and its text, by which a repetition is recognised. */
export type Call = {
  operation: string;
  body: Record<string, unknown>;
  text: string;
  /** The request from which it comes, where that has a name. */
  lane?: string | undefined;
};

/** What DynamoDB answers to a call. */
export type Answered = { status: number; text: string };

export type Exchange = Call & {
  response: ServerResponse;
  /** Lets the engine do the call, or another one in its place. */
  forward(body?: unknown): Promise<Answered>;
};

/** What happens to a call instead of the engine's plain answer. */
export type Fault = (exchange: Exchange) => Promise<unknown>;

/** Milliseconds: longer than the service's client waits for an answer. */
const tooLong = 650;

/** Answers a call. */
export const answer = (response: ServerResponse, { status, text }: Answered): unknown =>
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(text);

/** DynamoDB's form of an exception. */
export const asException = (name: string, status = 400, more: object = {}): Answered => ({
  status,
  text: JSON.stringify({
    __type: `com.amazonaws.dynamodb.v20120810#${name}`,
    message: name,
    ...more,
  }),
});

/** The engine is not asked; DynamoDB answers an exception. */
export const exception =
  (name: string, status = 400, more: object = {}): Fault =>
  async ({ response }) =>
    answer(response, asException(name, status, more));

/** A transaction is cancelled for these reasons, one for each of its items. */
export const cancelled = (...codes: string[]): Fault =>
  exception('TransactionCanceledException', 400, {
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

/** The connection breaks after the engine has done the call. */
export const resetAfter: Fault = async ({ forward, response }) => {
  await forward();
  response.destroy();
};

/** The connection breaks in the middle of the answer. */
export const truncatedAnswer: Fault = async ({ forward, response }) => {
  const { text } = await forward();
  response.writeHead(200, { 'content-length': Buffer.byteLength(text) });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
};

/** Half the answer comes as if it were the whole. */
export const halfAnswer: Fault = async ({ forward, response }) => {
  const { text } = await forward();
  answer(response, { status: 200, text: text.slice(0, Math.max(1, text.length / 2)) });
};

/** The engine has done the call, and DynamoDB says that it failed. */
export const failsAfter: Fault = async (exchange) => {
  await exchange.forward();
  await exception('InternalServerError', 500)(exchange);
};

/** The engine has done the call, and nobody hears of it. */
export const hangsAfter: Fault = async ({ forward }) => forward();

/** The answer comes when nobody waits for it any more. */
export const lateAnswer: Fault = async ({ forward, response }) => {
  const answered = await forward();
  await sleep(tooLong);
  answer(response, answered);
};

/** The call reaches the engine when its caller has given it up, and perhaps repeated it. */
export const lateCall: Fault = async ({ forward, response }) => {
  await sleep(tooLong);
  answer(response, await forward());
};

/** The connection breaks before the engine has the call. */
export const resetBefore: Fault = async ({ response }) => response.destroy();

/** Something between the service and DynamoDB answers in its place. */
export const pageOfProxy: Fault = async ({ response }) =>
  response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');

/** Nothing happens, for as long as one waits. */
export const hangsBefore: Fault = async () => {};

/** Each of these loses the answer after the engine has done the call. */
export const lostAnswers: Record<string, Fault> = {
  'reset after it was done': resetAfter,
  'an answer that breaks off': truncatedAnswer,
  'half an answer': halfAnswer,
  'a 500 after it was done': failsAfter,
  'silence after it was done': hangsAfter,
};

/** Each of these keeps the call from the engine. */
export const lostCalls: Record<string, Fault> = {
  'reset before it was done': resetBefore,
  'a page of a proxy': pageOfProxy,
  silence: hangsBefore,
};

/** Only the first `count` keys or writes of a batch are done; the others come back unprocessed. */
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

/** The call is done, and answered once something else has happened. */
export const answeredAfter =
  (work: () => Promise<unknown>): Fault =>
  async ({ forward, response }) => {
    const answered = await forward();
    await work();
    answer(response, answered);
  };

/** The call reaches the engine once something else has happened. */
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
