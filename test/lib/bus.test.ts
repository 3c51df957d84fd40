import { describe, expect, test } from 'vitest';
import { functionNames, grants, subscribers } from '../../lib/functions.ts';
import { eventSource } from '../../shared/model/events.ts';
import { arn, deadLettersOf, idOf, synthesise, xpub } from './synthesise.ts';

const dev = synthesise({ walletXpub: xpub });
const bus = idOf(dev, 'AWS::Events::EventBus');

describe('the bus', () => {
  test('delivers the events of the service to its functions, and failed ones to the dead letters', () => {
    const rules = dev
      .ofType('AWS::Events::Rule')
      .filter(({ Properties }) => Properties['EventBusName']?.Ref === bus);
    expect(rules.map(({ Properties }) => Properties)).toMatchObject([
      {
        EventPattern: { source: [eventSource] },
        State: 'ENABLED',
        Targets: subscribers.map((name) => ({
          Arn: arn(dev.functionId(name)),
          DeadLetterConfig: { Arn: arn(deadLettersOf(dev)) },
        })),
      },
    ]);
  });

  test('accepts events only from stream.consume', () => {
    expect(functionNames.filter((name) => grants[name].publish)).toStrictEqual(['stream.consume']);
  });
});
