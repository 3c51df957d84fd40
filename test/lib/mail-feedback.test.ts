import { describe, expect, test } from 'vitest';
import { feedbackPattern } from '../../lib/domains/mail.ts';
import { grants } from '../../lib/functions.ts';
import { arn, deadLettersOf, idOf, synthesise, xpub } from './synthesise.ts';

const dev = synthesise({ walletXpub: xpub });
const queue = deadLettersOf(dev);
const set = idOf(dev, 'AWS::SES::ConfigurationSet');
const handler = dev.functionId('mail.recordFeedback');

describe('feedback on mails', () => {
  test('is sent by SES to the default bus, only for mails of this deployment', () => {
    const [destination] = dev.ofType('AWS::SES::ConfigurationSetEventDestination');
    expect(destination?.Properties).toMatchObject({
      ConfigurationSetName: { Ref: set },
      EventDestination: { Enabled: true, MatchingEventTypes: ['bounce', 'complaint'] },
    });
    const target = destination?.Properties['EventDestination'].EventBridgeDestination;
    expect(JSON.stringify(target)).toContain(':event-bus/default');
  });

  test('invokes mail.recordFeedback, and a failure goes to the dead letters', () => {
    const rule = dev
      .ofType('AWS::Events::Rule')
      .find(({ Properties }) => Properties['EventPattern'].source[0] === 'aws.ses');
    expect(rule?.Properties).toMatchObject({
      EventPattern: feedbackPattern({ Ref: set } as unknown as string),
      State: 'ENABLED',
      Targets: [{ Arn: arn(handler), DeadLetterConfig: { Arn: arn(queue) } }],
    });
    expect(rule?.Properties).not.toHaveProperty('EventBusName');
    expect(dev.functionOf('mail.recordFeedback').Properties['DeadLetterConfig']).toEqual({
      TargetArn: arn(queue),
    });
  });

  test('does not suppress addresses for the account', () => {
    expect(dev.resources[set]?.Properties).toMatchObject({
      SuppressionOptions: { SuppressedReasons: [] },
    });
  });

  test('is recorded by a function that writes nothing else', () => {
    const { get: _, asynchronous: __, ...writes } = grants['mail.recordFeedback'];
    expect(writes).toEqual({ update: ['mailboxes'] });
  });
});
