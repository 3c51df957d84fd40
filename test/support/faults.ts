import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Item, toAttributes } from '#shared/table/item.ts';
import { createTable } from '../../local/table.ts';
import { ownDatabase } from './database.ts';

/** A call to DynamoDB as it arrived: `GetItem` and its parsed body. */
export type Call = { operation: string; body: Record<string, unknown> };

type Exchange = Call & {
  response: ServerResponse;
  /** Lets the engine do the call, or another one in its place. */
  forward(body?: unknown): Promise<{ status: number; text: string }>;
};

/** What happens to a call instead of the engine's plain answer. */
export type Fault = (exchange: Exchange) => Promise<unknown>;

const answer = (response: ServerResponse, status: number, text: string) =>
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(text);

/** The engine is not asked; DynamoDB answers an exception. */
export const exception =
  (name: string, status = 400, more: object = {}): Fault =>
  async ({ response }) =>
    answer(
      response,
      status,
      JSON.stringify({
        __type: `com.amazonaws.dynamodb.v20120810#${name}`,
        message: name,
        ...more,
      }),
    );

/** A transaction is cancelled for these reasons, one for each of its items. */
export const cancelled = (...codes: string[]): Fault =>
  exception('TransactionCanceledException', 400, {
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

/** Each of these loses the answer after the engine has done the call. */
export const lostAnswers: Record<string, Fault> = {
  'reset after it was done': async ({ forward, response }) => {
    await forward();
    response.destroy();
  },
  'an answer that breaks off': async ({ forward, response }) => {
    const { text } = await forward();
    response.writeHead(200, { 'content-length': Buffer.byteLength(text) });
    response.write(text.slice(0, text.length / 2), () => response.destroy());
  },
  'half an answer': async ({ forward, response }) => {
    const { text } = await forward();
    answer(response, 200, text.slice(0, Math.max(1, text.length / 2)));
  },
  'a 500 after it was done': async (exchange) => {
    await exchange.forward();
    await exception('InternalServerError', 500)(exchange);
  },
  'silence after it was done': async ({ forward }) => forward(),
};

/** Each of these keeps the call from the engine. */
export const lostCalls: Record<string, Fault> = {
  'reset before it was done': async ({ response }) => response.destroy(),
  'a page of a proxy': async ({ response }) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>'),
  silence: async () => {},
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
    answer(response, 200, JSON.stringify({ ...JSON.parse(text), [name]: left }));
  };

/** The call reaches the engine changed. */
export const changed =
  (change: (body: Record<string, unknown>) => object): Fault =>
  async ({ body, forward, response }) => {
    const { status, text } = await forward(change(body));
    answer(response, status, text);
  };

export type FaultyEngine = {
  url: string;
  /** Every call since the last `reset`, in the order of arrival. */
  calls: Call[];
  /** The next `times` calls that fit meet the fault. */
  inject(fault: Fault, options?: { times?: number; when?: (call: Call) => boolean }): void;
  reset(): void;
  close(): Promise<void>;
};

export type Faults = FaultyEngine & {
  /** Puts items straight into the engine. */
  seed(items: readonly Item[]): Promise<void>;
};

/** Puts a proxy before the database of this file that can fail in every way that a network and DynamoDB can. */
export async function startFaultyEngine(): Promise<FaultyEngine> {
  const { endpoint: engine } = await ownDatabase();
  let injected: { fault: Fault; left: number; when: (call: Call) => boolean }[] = [];
  const calls: Call[] = [];

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const target = String(request.headers['x-amz-target']);
    const text = (await buffer(request)).toString();
    const call: Call = { operation: target.split('.')[1] ?? '', body: JSON.parse(text) };
    calls.push(call);
    const { authorization = '' } = request.headers;
    const date = String(request.headers['x-amz-date']);
    const forward = async (body: unknown = call.body) => {
      const answered = await fetch(engine, {
        method: 'POST',
        headers: {
          authorization,
          'x-amz-date': date,
          'x-amz-target': target,
          'content-type': 'application/x-amz-json-1.0',
        },
        body: JSON.stringify(body),
      });
      return { status: answered.status, text: await answered.text() };
    };
    const next = injected.find(({ left, when }) => left > 0 && when(call));
    if (next) {
      next.left -= 1;
      return next.fault({ ...call, forward, response });
    }
    const { status, text: plain } = await forward();
    return answer(response, status, plain);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    inject: (fault, { times = 1, when = () => true } = {}) => {
      injected.push({ fault, left: times, when });
    },
    reset: () => {
      injected = [];
      calls.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Makes a table of its own behind a faulty engine, where the service's code in this process finds it. */
export async function openFaultyTable(): Promise<Faults> {
  const engine = await startFaultyEngine();
  const { endpoint, accessKeyId } = await ownDatabase();
  const TABLE_NAME = `faults-${randomUUID()}`;
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: engine.url,
    TABLE_NAME,
  });
  const direct = new DynamoDBClient({ endpoint });
  await createTable(direct, TABLE_NAME);
  return {
    ...engine,
    seed: async (items) => {
      for (let i = 0; i < items.length; i += 25) {
        const puts = items.slice(i, i + 25).map((item) => ({
          PutRequest: { Item: toAttributes(item) },
        }));
        await direct.send(new BatchWriteItemCommand({ RequestItems: { [TABLE_NAME]: puts } }));
      }
    },
    close: async () => {
      direct.destroy();
      await engine.close();
    },
  };
}
