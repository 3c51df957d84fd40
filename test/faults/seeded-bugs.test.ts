import { afterAll, expect, test } from 'vitest';
import { exhaust, single } from './exhaustive-run.ts';
import { startScene } from './scene.ts';

// Verifies that the fault runs find bugs. All bugs are planted together: none affects the case of another.
const bugs = [
  [
    'a transaction without its token',
    {
      file: 'shared/db/transaction.ts',
      find: '        ClientRequestToken: newWriteToken(),\n',
      replace: '',
    },
    'workspaces.create Basic',
    'reset after',
  ],
  [
    'an update that does not recognise its retry',
    {
      file: 'shared/db/transaction.ts',
      find: "    if (old?.['write_id'] === write_id) return old as T;\n",
      replace: '',
    },
    'workspaces.update Basic',
    'half an answer',
  ],
  [
    'a throttled call that is not retried',
    {
      file: 'shared/db/client.ts',
      find: "  'ProvisionedThroughputExceededException',\n",
      replace: '',
    },
    'workspaces.get Basic',
    'ProvisionedThroughputExceededException',
  ],
  [
    'unprocessed keys of a batch that are ignored',
    {
      file: 'shared/db/batch-loader.ts',
      find: 'answer.UnprocessedKeys?.[TableName] ? answer.UnprocessedKeys : undefined',
      replace: 'undefined',
    },
    'members.get Basic',
    'partial batch',
  ],
] as const;

const scene = await startScene({ planted: bugs.map(([, planted]) => planted) });
afterAll(() => scene.close());

test.each(bugs)('finds %s', { timeout: 300_000 }, async (_, __, name, fault) => {
  const cases = scene.cases.filter((one) => one.name === name);
  const { wrong } = await exhaust(scene, cases, (calls, keyed, operation) =>
    keyed
      ? []
      : single(calls, keyed, operation).filter(
          ({ plannedFaults: [one] }) => one?.fault.name === fault,
        ),
  );
  expect([...wrong.values()].flat().join('\n')).toContain(`${fault}: answered`);
});
