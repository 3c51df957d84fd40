import { expect, test } from 'vitest';
import { exhaust, single } from './exhaustive-run.ts';
import { startScene } from './scene.ts';

// A search that finds nothing wrong is worth something only if it finds what is.
test.each([
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
    'an update that does not know itself again',
    {
      file: 'shared/db/transaction.ts',
      find: "    if (old?.['write_id'] === write_id) return old;\n",
      replace: '',
    },
    'workspaces.update Basic',
    'half an answer',
  ],
  [
    'a throttle that is not tried again',
    {
      file: 'shared/db/client.ts',
      find: "  'ProvisionedThroughputExceededException',\n",
      replace: '',
    },
    'workspaces.get Basic',
    'ProvisionedThroughputExceededException',
  ],
  [
    'keys that are left out of an answer',
    {
      file: 'shared/db/batch-loader.ts',
      find: 'answer.UnprocessedKeys?.[TableName] ? answer.UnprocessedKeys : undefined',
      replace: 'undefined',
    },
    'members.get Basic',
    'partial batch',
  ],
] as const)('finds %s', { timeout: 300_000 }, async (_, planted, name, fault) => {
  const scene = await startScene({ planted: [planted] });
  const cases = scene.cases.filter((one) => one.name === name);
  const { wrong } = await exhaust(scene, cases, (met, keyed, operation) =>
    keyed
      ? []
      : single(met, keyed, operation).filter(({ troubles: [one] }) => one?.fault.name === fault),
  );
  await scene.world.close();
  await scene.close();
  expect([...wrong.values()].flat().join('\n')).toContain(`${fault}: answered`);
});
