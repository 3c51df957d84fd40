import { Aws, Duration } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { JobAlarm } from './domain.ts';

type Watched = {
  api: IHttpApi;
  table: TableV2;
  deadLetters: Queue;
  email: string | undefined;
};

/** How long a condition must last: `datapoints` of the last `of` periods of `period`. */
type Lasting = { datapoints: number; of: number };

const minute = Duration.minutes(1);
const fiveMinutes = Duration.minutes(5);
/** Rare and short problems are covered by retries. */
const lasting: Lasting = { datapoints: 3, of: 5 };
const atOnce: Lasting = { datapoints: 1, of: 1 };

/**
 * Alarms that require action by an operator; docs/operate/runbook.md has the steps for each. CloudWatch bills each
 * metric that an alarm reads, two for an expression of two, and the first ten of an account are free. These alarms read
 * twelve; endpoints are watched together, at the API.
 */
export class Alarms extends Construct {
  private readonly topic: Topic | undefined;

  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id);
    this.topic = watched.email === undefined ? undefined : this.mailTo(watched.email);
    this.watchApi(watched.api);
    // Without a function's name: concurrency is limited by account and region, so a shortage affects all functions.
    this.add('Throttles', 'Lambda throttled a function of the account.', atOnce, {
      metric: Lambda.metricAllThrottles({ period: fiveMinutes }),
      threshold: 0,
    });
    this.watchTable(watched.table);
    this.add(
      'DeadLetters',
      'A background function gave up on a change, a mail or a webhook.',
      atOnce,
      {
        metric: watched.deadLetters.metricApproximateNumberOfMessagesVisible({
          period: fiveMinutes,
        }),
        threshold: 0,
      },
    );
  }

  /**
   * Watches one job. Few need it: endpoints and `projects.admin` report errors to their caller, and records of the
   * stream are retried until they succeed or are late, which has an alarm of its own. A job of a queue needs `errors`:
   * SQS does not count a message that is received repeatedly in the age of the oldest message.
   */
  watchJob({ on, id, description }: JobAlarm, lambda: Lambda, queue: Queue | undefined): void {
    if (on === 'errors')
      this.add(id, description, atOnce, {
        metric: lambda.metricErrors({ period: fiveMinutes }),
        threshold: 0,
      });
    else if (on === 'stream-age')
      this.add(id, description, lasting, {
        metric: lambda.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: minute }),
        threshold: fiveMinutes.toMilliseconds(),
      });
    else if (queue)
      this.add(id, description, lasting, {
        metric: queue.metricApproximateAgeOfOldestMessage({
          statistic: Stats.MAXIMUM,
          period: minute,
        }),
        threshold: fiveMinutes.toSeconds(),
      });
  }

  /** A failed endpoint returns 500; one that crashes, times out or cannot start also counts as 5xx at the API. */
  private watchApi(api: IHttpApi): void {
    this.add('ServerErrors', 'More than 1 % of the responses are 5xx.', lasting, {
      metric: new MathExpression({
        // Brackets accept only time series, not numbers.
        expression: 'IF(requests > 0, 100 * errors / requests, 0)',
        usingMetrics: {
          errors: api.metricServerError({ period: minute }),
          requests: api.metricCount({ period: minute }),
        },
        period: minute,
        label: '% of responses',
      }),
      threshold: 1,
    });
    this.add('Latency', 'One response in a hundred takes more than a second.', lasting, {
      metric: api.metricLatency({ statistic: 'p99', period: fiveMinutes }),
      threshold: 1_000,
    });
  }

  private watchTable(table: TableV2): void {
    this.add('TableThrottles', 'DynamoDB throttles the table or one of its partitions.', lasting, {
      metric: new MathExpression({
        // A minute in which only one of them throttles has no value of the other.
        expression: 'FILL(reads, 0) + FILL(writes, 0)',
        usingMetrics: {
          reads: table.metric('ReadThrottleEvents', { statistic: Stats.SUM, period: minute }),
          writes: table.metric('WriteThrottleEvents', { statistic: Stats.SUM, period: minute }),
        },
        period: minute,
        label: 'throttled',
      }),
      threshold: 10,
    });
  }

  private add(
    id: string,
    alarmDescription: string,
    { datapoints, of }: Lasting,
    props: Pick<AlarmProps, 'threshold'> & { metric: IMetric },
  ): void {
    const alarm = new Alarm(this, id, {
      ...props,
      alarmDescription,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      datapointsToAlarm: datapoints,
      evaluationPeriods: of,
      // No calls.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (this.topic) {
      alarm.addAlarmAction(new SnsAction(this.topic));
      alarm.addOkAction(new SnsAction(this.topic));
    }
  }

  private mailTo(email: string): Topic {
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(email));
    // `enforceSSL` adds a topic policy, which replaces the default one that lets CloudWatch publish.
    topic.grantPublish(
      new ServicePrincipal('cloudwatch.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    return topic;
  }
}
