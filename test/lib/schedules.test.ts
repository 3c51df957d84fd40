import { describe, expect, test } from 'vitest';
import { functionNames, grants } from '../../lib/functions.ts';
import { arn, deadLettersOf, idLike, idOf, production, synthesise, xpub } from './synthesise.ts';

const dev = synthesise({ walletXpub: xpub });
const queue = deadLettersOf(dev);
const group = idOf(dev, 'AWS::Scheduler::ScheduleGroup');
const role = idLike(dev, /^SchedulesRole/);
const sender = dev.functionId('webhooks.deliver');

describe('the schedules', () => {
  test('have a group that is named as the stack, and cost nothing while none waits', () => {
    expect(dev.resources[group]?.Properties).toStrictEqual({ Name: 'identity-workspace-dev' });
    expect(dev.ofType('AWS::Scheduler::Schedule')).toStrictEqual([]);
  });

  test('act as a role that is theirs alone', () => {
    const { AssumeRolePolicyDocument, Policies } = dev.resources[role]?.Properties ?? {};
    expect(AssumeRolePolicyDocument.Statement).toStrictEqual([
      {
        Action: 'sts:AssumeRole',
        Effect: 'Allow',
        Principal: { Service: 'scheduler.amazonaws.com' },
        Condition: {
          StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
          ArnEquals: { 'aws:SourceArn': arn(group) },
        },
      },
    ]);
    const [{ PolicyDocument }] = Policies;
    expect(PolicyDocument.Statement).toStrictEqual([
      { Action: 'sqs:SendMessage', Effect: 'Allow', Resource: arn(queue) },
    ]);
  });

  test('may invoke the sender of webhooks and nothing else', () => {
    const policies = dev
      .ofType('AWS::IAM::ManagedPolicy')
      .filter(({ Properties }) =>
        Properties['Roles']?.some(({ Ref }: { Ref?: string }) => Ref === role),
      );
    expect(policies.map(({ Properties }) => Properties['PolicyDocument'].Statement)).toStrictEqual([
      [{ Action: 'lambda:InvokeFunction', Effect: 'Allow', Resource: arn(sender) }],
    ]);
  });

  test('are made by whoever may, who is told where, as whom, and where failures go', () => {
    const making = functionNames.filter((name) => grants[name].schedule);
    expect(making).toStrictEqual(['webhooks.redeliver', 'webhooks.deliver']);
    for (const name of making)
      expect(dev.functionOf(name).Properties['Environment'].Variables).toMatchObject({
        SCHEDULE_GROUP: 'identity-workspace-dev',
        SCHEDULE_ROLE_ARN: arn(role),
        DEAD_LETTERS_ARN: arn(queue),
      });
  });
});

describe('the sender of webhooks', () => {
  test('leaves what it gives up to the dead letters', () => {
    const { DeadLetterConfig, Timeout } = dev.functionOf('webhooks.deliver').Properties;
    expect(DeadLetterConfig).toStrictEqual({ TargetArn: arn(queue) });
    expect(Timeout).toBe(120);
  });

  test('leaves the account its functions where the operator says how many it may take', () => {
    const limited = (of: typeof dev) =>
      functionNames.flatMap((name) => {
        const { ReservedConcurrentExecutions: most } = of.functionOf(name).Properties;
        return most === undefined ? [] : [[name, most]];
      });
    expect(limited(dev)).toStrictEqual([]);
    expect(limited(synthesise(production))).toStrictEqual([['webhooks.deliver', 50]]);
  });

  test('is known to whoever schedules it, and is told who it is by every invocation', () => {
    const variables = (name: 'webhooks.redeliver' | 'webhooks.deliver') =>
      dev.functionOf(name).Properties['Environment'].Variables['WEBHOOK_SENDER_ARN'];
    expect(variables('webhooks.redeliver')).toStrictEqual(arn(sender));
    expect(variables('webhooks.deliver')).toBeUndefined();
  });

  test('gets no address that is plain http, so no local target is allowed there', () => {
    const { BASE_URL } = dev.functionOf('webhooks.deliver').Properties['Environment'].Variables;
    expect(JSON.stringify(BASE_URL)).not.toContain('http:');
  });
});
