import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { exception, type Fault, lostAnswers } from '../faults/fault.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { pass } from '../support/started.ts';
import { webhookScene } from '../support/webhooks.ts';
import type { TestProject } from '../support/world.ts';

// The sender dies at each of its calls to the table and is invoked again, as by Lambda; or only a response is lost.
const { faults, world } = await startFaultyWorld();
let project: TestProject;
const { receiver, make, event, deliver, attempts } = await webhookScene(
  world,
  (made) => (project = made),
);

const refuse = exception('AccessDeniedException');
/** Ends an invocation at its call of this number: later calls do not arrive. */
function dieAt(place: number, fault: Fault): void {
  let seen = 0;
  const when = () => {
    seen += 1;
    return seen >= place;
  };
  let first = true;
  faults.inject(
    (exchange) => {
      const now = first ? fault : refuse;
      first = false;
      return now(exchange);
    },
    { times: Number.POSITIVE_INFINITY, when },
  );
}
const done: Fault = async (exchange) => {
  await exchange.forward();
  await refuse(exchange);
};

const scenes = {
  'an event that is taken': { answers: [204], calls: 4, attempt: 1, state: 'delivered' },
  'an event that is taken at the second attempt': {
    answers: [500, 204],
    calls: 10,
    attempt: 2,
    state: 'delivered',
  },
  'an event that fails': { answers: [500], calls: 9, attempt: 2, state: 'pending' },
} as const;

async function scene(answers: readonly number[]) {
  const { url, received } = receiver.at(...answers);
  const webhook = await make(url, { project });
  const sent = event({ project_id: project.project_id });
  faults.reset();
  const state = async () => {
    const item = await world.table.get(keys.delivery(webhook.webhook_id, sent.id));
    return [item?.['attempt'], item?.['state'], item?.['lease_until']];
  };
  return { webhook, sent, received, state };
}

describe.each(Object.entries(scenes))('%s', (_, { answers, calls, attempt, state }) => {
  const places = Array.from({ length: calls }, (__, i) => i + 1);

  test('makes the expected number of calls to the table', async () => {
    const { sent } = await scene(answers);
    await deliver(sent);
    // A retry after a late response is the same call.
    expect([...new Set(faults.calls.map(({ text }) => text))]).toHaveLength(calls);
  });

  // A receiver that responds differently the second time may accept the retry.
  const steady = answers.length === 1 ? places : [];
  test.each(
    steady.flatMap((place) => [
      [place, 'before', refuse] as const,
      [place, 'after', done] as const,
    ]),
  )(
    'dies at call %i, %s it is done: the next invocation ends in the same state',
    async (place, __, fault) => {
      const ours = await scene(answers);
      dieAt(place, fault);
      await expect(deliver(ours.sent)).rejects.toThrow('AccessDeniedException');
      faults.reset();
      pass(61_000);
      await deliver(ours.sent);
      expect(await ours.state()).toEqual([attempt, state, undefined]);
      // Once, or twice if it is unknown whether it was sent; the receiver can deduplicate by its id.
      expect(ours.received().length).toBeGreaterThanOrEqual(attempt);
      expect(ours.received().length).toBeLessThanOrEqual(attempt + 1);
      const listed = await attempts(ours.webhook, project);
      expect(listed[0]).toMatchObject({ attempt, status_code: answers.at(-1) });
      expect(world.schedules.waiting()).toHaveLength(state === 'pending' ? 1 : 0);
    },
  );

  test.each(places)('the response of call %i is lost: each attempt is made once', async (place) => {
    const { sent, received, state: found } = await scene(answers);
    let seen = 0;
    const when = () => {
      seen += 1;
      return seen === place;
    };
    faults.inject(lostAnswers['reset after it was done']!, { when });
    await deliver(sent);
    expect(await found()).toEqual([attempt, state, undefined]);
    expect(received()).toHaveLength(attempt);
  });
});
