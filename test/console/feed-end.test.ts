import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createRunSecrets } from '../../bin/transfer/run-secrets.ts';
import { positionOfNewest } from '../../console/server/feed-end.ts';
import { serve } from '../support/serve.ts';

/** The search for the end of the feed, at misbehaving services. */
async function start(answer: (asked: number, response: ServerResponse, after: number) => void) {
  const state = { asked: 0, secrets: 0 };
  const service = await serve((request, response) => {
    state.asked += 1;
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    answer(state.asked, response, Number(searchParams.get('after')));
  }, onTestFinished);
  const secrets = createRunSecrets(
    async () => {
      state.secrets += 1;
      return { secret: `s${state.secrets}`, secrets: [{ secret_id: `0000000${state.secrets}` }] };
    },
    { name: 'console', pause: 0 },
  );
  const abort = new AbortController();
  const find = () =>
    positionOfNewest('acme', { service, path: '/events', secrets, signal: abort.signal });
  return { state, find, abort };
}

const page = '{"result":[],"next_cursor":"1","more":false}';
const feedOf = (events: number) => (after: number, response: ServerResponse) =>
  after <= events
    ? response.writeHead(200).end(page)
    : response.writeHead(400).end('{"code":"invalid_request"}');

test('the position is a hundred events before the last one', async () => {
  const answer = feedOf(12_345);
  const { find, state } = await start((_, response, after) => answer(after, response));
  expect(await find()).toBe(12_245);
  expect(state.asked).toBeLessThan(40);
});

test('replaces a secret that was revoked during the search', async () => {
  const answer = feedOf(7);
  const { find, state } = await start((asked, response, after) =>
    asked === 3 ? response.writeHead(401).end() : answer(after, response),
  );
  expect(await find()).toBe(0);
  expect(state.secrets).toBe(2);
});

test.each(['<html></html>', '{}', 'null', '{"result":[]}'])(
  'fails after one request if the response is %s, not a page of events',
  async (body) => {
    const { find, state } = await start((_, response) => response.writeHead(200).end(body));
    await expect(find()).rejects.toThrow('does not answer with pages of events');
    expect(state.asked).toBe(1);
  },
);

test('ends the search at a service that has a page for every position', async () => {
  const { find, state } = await start((_, response) => response.writeHead(200).end(page));
  await expect(find()).rejects.toThrow('does not answer with pages of events');
  expect(state.asked).toBeLessThan(50);
});

test('sends no further request after it is aborted', async () => {
  const { find, abort, state } = await start(() => abort.abort());
  await expect(find()).rejects.toMatchObject({ status: 502 });
  expect(state.asked).toBe(1);
  await expect(find()).rejects.toMatchObject({ status: 502 });
  expect(state.asked).toBe(1);
});
