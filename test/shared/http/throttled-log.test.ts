import { expect, test } from 'vitest';
import { exception } from '../../faults/fault.ts';
import { startFaultyWorld } from '../../support/faulty-world.ts';
import { logged } from '../../support/log.ts';

const { faults, world } = await startFaultyWorld();

const reason = 'IndexWriteKeyRangeThroughputExceeded';
const resource = 'arn:aws:dynamodb:eu-west-1:123456789012:table/T/index/by-email';

test.each([
  ['ProvisionedThroughputExceededException', 'ThrottlingReasons'],
  ['RequestLimitExceeded', 'ThrottlingReasons'],
  ['ThrottlingException', 'throttlingReasons'],
])('%s: the log line names the project, and what DynamoDB throttles', async (name, field) => {
  const { project_id, basic } = await world.newProject();
  faults.inject(exception(name, 400, { [field]: [{ reason, resource }] }), { times: 1_000 });
  const { result, lines } = await logged(() => world.as(basic).webhooks.list({}));
  expect(result.status).toBe(503);
  const cause = { name, throttled: [`${reason} ${resource}`] };
  expect(lines).toMatchObject([{ project_id, cause }]);
});
