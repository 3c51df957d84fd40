import { describe, expect, test } from 'vitest';
import { functionNames, grants } from '../../lib/functions.ts';
import { arn, deadLettersOf, idLike, idOf, production, synthesise, xpub } from './synthesise.ts';

const dev = synthesise({ walletXpub: xpub });
const queue = deadLettersOf(dev);
const group = idOf(dev, 'AWS::Scheduler::ScheduleGroup');
const role = idLike(dev, /^SchedulesRole/);
const sender = dev.functionId('webhooks.deliver');

describe('the schedules', () => {
  test('have a group named after the stack, and none exists at deployment', () => {
    expect(dev.resources[group]?.Properties).toStrictEqual({ Name: 'identity-workspace-dev' });
    expect(dev.ofType('AWS::Scheduler::Schedule')).toStrictEqual([]);
  });

  test('have a role of their own', () => {
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

  test('may invoke only the sender of webhooks', () => {
    const policies = dev
      .ofType('AWS::IAM::ManagedPolicy')
      .filter(({ Properties }) =>
        Properties['Roles']?.some(({ Ref }: { Ref?: string }) => Ref === role),
      );
    expect(policies.map(({ Properties }) => Properties['PolicyDocument'].Statement)).toStrictEqual([
      [{ Action: 'lambda:InvokeFunction', Effect: 'Allow', Resource: arn(sender) }],
    ]);
  });

  test('are created by two functions, which know the group, the role and the dead letters', () => {
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
  test('sends failed invocations to the dead letters', () => {
    const { DeadLetterConfig, Timeout } = dev.functionOf('webhooks.deliver').Properties;
    expect(DeadLetterConfig).toStrictEqual({ TargetArn: arn(queue) });
    expect(Timeout).toBe(120);
  });

  test('has a limited concurrency only if it is configured', () => {
    const limited = (of: typeof dev) =>
      functionNames.flatMap((name) => {
        const { ReservedConcurrentExecutions: most } = of.functionOf(name).Properties;
        return most === undefined ? [] : [[name, most]];
      });
    expect(limited(dev)).toStrictEqual([]);
    expect(limited(synthesise(production))).toStrictEqual([['webhooks.deliver', 50]]);
  });

  test('is known to the function that schedules it, and reads its own ARN from its invocation', () => {
    const variables = (name: 'webhooks.redeliver' | 'webhooks.deliver') =>
      dev.functionOf(name).Properties['Environment'].Variables['WEBHOOK_SENDER_ARN'];
    expect(variables('webhooks.redeliver')).toStrictEqual(arn(sender));
    expect(variables('webhooks.deliver')).toBeUndefined();
  });

  test('gets no http: address, so that no local target is allowed', () => {
    const { BASE_URL } = dev.functionOf('webhooks.deliver').Properties['Environment'].Variables;
    expect(JSON.stringify(BASE_URL)).not.toContain('http:');
  });
});
