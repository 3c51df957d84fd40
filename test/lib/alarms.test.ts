import { describe, expect, test } from 'vitest';
import { idOf, production, type Synthesised, sorted, synthesise, xpub } from './synthesise.ts';

type Dimension = { Name: string; Value: { Ref: string } };
type Metric = { MetricName: string; Dimensions?: Dimension[] };
type Expression = { MetricStat?: { Metric: Metric } };

const dev = synthesise({ walletXpub: xpub });
const prod = synthesise(production);

describe('alarms', () => {
  /** The metric that each alarm reads, with its function. */
  const metricsOf = ({ resources, ofType }: Synthesised) =>
    ofType('AWS::CloudWatch::Alarm')
      .flatMap(({ Properties }): Metric[] =>
        Properties['MetricName']
          ? [Properties as Metric]
          : Properties['Metrics'].flatMap(({ MetricStat }: Expression) => MetricStat?.Metric ?? []),
      )
      .map(({ MetricName, Dimensions = [] }) => {
        const { Value } = Dimensions.find(({ Name }) => Name === 'FunctionName') ?? {};
        return [MetricName, ...(Value ? [resources[Value.Ref]?.Properties['Description']] : [])];
      });

  test('watch the API, background functions, concurrency, the table, the stream, its queue and the dead letters', () => {
    expect(sorted(metricsOf(dev))).toStrictEqual(
      sorted([
        ['5xx'],
        ['Count'],
        ['Latency'],
        ['Errors', 'mail.send'],
        ['Errors', 'stream.consume'],
        ['Errors', 'keys.rotate'],
        ['Throttles'],
        ['ReadThrottleEvents'],
        ['WriteThrottleEvents'],
        ['IteratorAge', 'stream.sort'],
        ['ApproximateAgeOfOldestMessage'],
        ['ApproximateNumberOfMessagesVisible'],
      ]),
    );
  });

  test('read at most two metrics more than the ten free ones, and no route has metrics of its own', () => {
    for (const stack of [dev, prod]) {
      expect(metricsOf(stack).length).toBeLessThanOrEqual(12);
      expect(JSON.stringify(stack.template)).not.toMatch(/DetailedMetricsEnabled|MetricFilter/);
    }
  });

  test('have no expression with a number in brackets, which CloudWatch refuses', () => {
    // The body of a dashboard is JSON within a string.
    const template = JSON.stringify(prod.template).replaceAll('\\', '');
    const expressions = [...template.matchAll(/"expression":"([^"]*)"/gi)].map(([, text]) => text);
    expect(expressions).toHaveLength(2);
    for (const text of expressions) expect(text).not.toMatch(/\[(?:[^\]]*[,\s])?\d[^\]]*\]/);
  });

  test('send mail to the address of the settings', () => {
    expect(dev.ofType('AWS::SNS::Topic')).toHaveLength(0);
    const topic = idOf(prod, 'AWS::SNS::Topic');
    for (const { Properties } of prod.ofType('AWS::CloudWatch::Alarm'))
      expect(Properties['AlarmActions']).toStrictEqual([{ Ref: topic }]);
    expect(prod.ofType('AWS::SNS::Subscription')[0]?.Properties).toStrictEqual({
      Protocol: 'email',
      Endpoint: 'ops@example.com',
      TopicArn: { Ref: topic },
    });
  });
});
