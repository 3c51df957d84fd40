import { Duration, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import {
  EventSourceMapping,
  type Function as Lambda,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type FedFunction, type Feed, feeds } from './feeds.ts';

/** Feeds the table's stream to functions; what fails for good is told to the dead-letter queue. */
export class StreamFeeds extends Construct {
  /** One for all: a message names the mapping that it is from. */
  readonly deadLetters: Queue;
  private readonly streamArn: string;

  constructor(scope: Construct, id: string, table: TableV2) {
    super(scope, id);
    if (!table.tableStreamArn) throw new Error('The table has no stream.');
    this.streamArn = table.tableStreamArn;
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.deadLetters).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is the dead-letter queue.',
    });
  }

  /** Feeds each function that lib/feeds.ts names. */
  feed(lambdaOf: (name: FedFunction) => Lambda): void {
    for (const [name, feed] of Object.entries(feeds)) this.map(name as FedFunction, feed, lambdaOf);
  }

  private map(name: FedFunction, feed: Feed, lambdaOf: (name: FedFunction) => Lambda): void {
    // Under another id it would be made anew before the old one goes, which Lambda refuses as its double.
    const id = name === 'stream.consume' ? 'Mapping' : name;
    new EventSourceMapping(this, id, {
      target: lambdaOf(name),
      eventSourceArn: this.streamArn,
      // Nothing written before the mapping works is lost.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: feed.batchSize,
      // Changes of one partition keep their order; those of different ones go side by side.
      parallelizationFactor: 4,
      filters: feed.filters.map((pattern) => ({ pattern: JSON.stringify(pattern) })),
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: feed.retries,
      maxRecordAge: Duration.seconds(feed.maxAge),
      onFailure: { bind: () => ({ destination: this.deadLetters.queueArn }) },
    });
  }
}
