import { beforeEach, describe, expect, test } from 'vitest';
import { checkProtection, checkState, isDeployed, readStack } from '../../../bin/doctor/stack.ts';
import { production, synthesise, xpub } from '../../lib/synthesise.ts';
import { type Account, configOf, healthy, resources, stackName, startAws } from './aws.ts';

const built = synthesise(production).resources;

let account: Account;
await startAws(() => account);
beforeEach(() => {
  account = healthy();
});

const configFor = (stage: string, deletionProtection: boolean) =>
  configOf({ deletionProtection, walletXpub: xpub }, stage);
const dev = configFor('dev', false);
const at = async (status: string | undefined, on = false) => {
  const outputs = { TableName: 'table1' };
  account.stack = status === undefined ? undefined : { status, protected: on, outputs };
  return readStack(stackName);
};

test('the stack has exactly one of each resource that the doctor looks for', () => {
  for (const [type, id] of resources) {
    const name = id.slice(0, -8);
    const found = Object.keys(built).filter(
      (each) => built[each]?.Type === type && each.replace(/[0-9A-F]{8}$/, '') === name,
    );
    expect(found, id).toHaveLength(1);
  }
});

describe('the deployment', () => {
  test.each([undefined, 'REVIEW_IN_PROGRESS'])('%s: not deployed yet', async (status) => {
    const stack = await at(status);
    expect(isDeployed(stack)).toBe(false);
    expect(checkState(stack, dev)).toMatchObject({ status: 'note', fix: ['npx cdk deploy'] });
  });

  test.each(['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'IMPORT_COMPLETE'])(
    '%s: deployed',
    async (status) => {
      const stack = await at(status);
      expect(isDeployed(stack)).toBe(true);
      expect(checkState(stack, dev)).toMatchObject({ status: 'ok' });
      expect(stack.resources).toHaveLength(resources.length);
    },
  );

  test.each(['CREATE_IN_PROGRESS', 'UPDATE_IN_PROGRESS'])(
    '%s: in progress, run the doctor later',
    async (status) => {
      const stack = await at(status);
      expect(isDeployed(stack)).toBe(status === 'UPDATE_IN_PROGRESS');
      expect(checkState(stack, dev)).toMatchObject({
        status: 'wrong',
        text: expect.stringContaining('run this again'),
      });
    },
  );

  test.each(['UPDATE_ROLLBACK_COMPLETE', 'UPDATE_FAILED'])(
    '%s: reported, the previous version runs',
    async (status) => {
      const stack = await at(status);
      expect(isDeployed(stack)).toBe(true);
      expect(checkState(stack, configFor('prod', true))).toMatchObject({
        status: 'wrong',
        fix: [expect.stringContaining('describe-stack-events'), 'npx cdk deploy -c stage=prod'],
      });
    },
  );

  // https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ContinueUpdateRollback.html
  test('UPDATE_ROLLBACK_FAILED: no version runs as a whole, and the rollback is finished before a deployment', async () => {
    const { text, fix } = checkState(await at('UPDATE_ROLLBACK_FAILED'), configFor('prod', true));
    expect(text).not.toContain('previous version');
    expect(fix?.slice(1)).toEqual([
      'npx cdk rollback -c stage=prod',
      'npx cdk deploy -c stage=prod',
    ]);
  });

  test.each(['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'DELETE_FAILED'])(
    '%s: nothing runs; a protected stack needs its protection removed first',
    async (status) => {
      const stack = await at(status, true);
      expect(isDeployed(stack)).toBe(false);
      const { fix = [] } = checkState(stack, dev);
      expect(fix.join('\n')).toContain('--no-enable-termination-protection');
      expect(checkState(await at(status), dev).fix?.join('\n')).not.toContain('termination');
    },
  );
});

describe('protection from deletion', () => {
  test.each([
    ['set before the first deployment', undefined, false, 'prod', true, 'wrong'],
    ['not set before the first deployment', undefined, false, 'prod', false, 'ok'],
    ['deployed with it', 'CREATE_COMPLETE', true, 'prod', true, 'ok'],
    ['deployed without it', 'CREATE_COMPLETE', false, 'prod', false, 'wrong'],
    ['a stack for development', 'CREATE_COMPLETE', false, 'dev', false, 'ok'],
    ['set, but not deployed', 'CREATE_COMPLETE', false, 'prod', true, 'wrong'],
    ['deployed, but no longer set', 'CREATE_COMPLETE', true, 'prod', false, 'wrong'],
  ])('%s', async (_, status, on, stage, set, expected) => {
    const finding = await checkProtection(await at(status, on), configFor(stage, set));
    expect(finding.status).toBe(expected);
    expect(finding.status === 'ok' || (finding.fix ?? []).length > 0).toBe(true);
  });

  test('a restored table is not protected, whatever the stack and the settings say', async () => {
    account.table.protected = false;
    const stack = await at('IMPORT_COMPLETE', true);
    expect(await checkProtection(stack, configFor('prod', true))).toEqual({
      check: 'protection',
      status: 'wrong',
      text: 'The table table1 can be deleted: a restore does not bring its protection back.',
      fix: ['aws dynamodb update-table --deletion-protection-enabled --table-name table1'],
    });
  });

  test('a table that cannot be read is not reported as protected', async () => {
    account.denied = ['DescribeTable'];
    const stack = await at('CREATE_COMPLETE', true);
    await expect(checkProtection(stack, configFor('prod', true))).rejects.toThrow('Not allowed.');
  });
});
