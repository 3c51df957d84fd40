import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from '../support/expectations.ts';
import { serve } from '../support/serve.ts';
import { startWorld } from '../support/world.ts';
import { forgeriesOf } from './forgeries.ts';
import { genuineTokenOf } from './genuine.ts';
import { fitsHeader, partsOf, silence } from './traces.ts';

/**
 * Forged access tokens in every place that accepts one: as the credential of a request, and in the body of a refresh.
 * What is refused under the service's own signature: test/shared/access/access-token.test.ts.
 */

const world = await startWorld();
const person = await world.user();
const other = await world.user({ project: await world.newProject() });
const { target, me, refresh } = await genuineTokenOf(world, person);
let fetched = 0;
const theirs = await serve((_, response) => {
  fetched += 1;
  response.end('{"keys":[]}');
});

const log = silence();

/** The original token must be valid, so that a rejection is caused by the forgery. */
async function expectGood(): Promise<void> {
  const { status, body } = await me(person.access_token);
  expect([status, body.uid]).toEqual([200, person.uid]);
}

async function expectRefused(token: string): Promise<void> {
  log.clear();
  if (fitsHeader(token)) {
    const answer = await me(token);
    expectProblem(answer, 'unauthenticated');
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer realm="user", error="invalid_token", error_description="${answer.body.detail}"`,
    );
    log.expectWithout(partsOf(token), answer);
  }
  const answer = await refresh(token);
  // A token that violates the contract's format is a bad request.
  if (answer.status === 400) expect(answer.body.errors[0].pointer).toBe('/body/accessToken');
  else expectProblem(answer, 'unauthenticated');
  log.expectWithout(partsOf(token), answer);
}

let before: unknown[];
beforeAll(async () => {
  before = await world.table.all();
});
beforeAll(expectGood);
afterAll(expectGood);

describe.each(Object.entries(forgeriesOf(target, other.access_token, theirs)))(
  '%s',
  (_, forgeries) => {
    afterAll(expectGood);
    test.each(Object.entries(forgeries))('%s', async (_name, token) => {
      expect(token).not.toBe(target.genuine);
      await expectRefused(token);
    });
  },
);

test('no URL that a token names is fetched', () => {
  expect(fetched).toBe(0);
});

test('none of the forged tokens has written anything, and the refresh token is still valid', async () => {
  expect(await world.table.all()).toEqual(before);
  const { status, body } = await refresh(person.access_token);
  expect([status, body.uid]).toEqual([200, person.uid]);
});
