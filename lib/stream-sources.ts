import { Duration, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import {
  EventSourceMapping,
  type Function as Lambda,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import {
  DeduplicationScope,
  FifoThroughputLimit,
  Queue,
  QueueEncryption,
} from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { JobName } from '../shared/contract/functions.ts';
import type { QueueName } from '../shared/events/queue-sort.ts';
import type { QueueSource, StreamSource } from './domain.ts';
import { changesQueue } from './domains/events.ts';
import { mailsQueue } from './domains/mail.ts';

/**
 * Connects the table's stream to the function that sorts it, and the queues to the functions that process them. One
 * queue holds the messages of all projects, each project in its own message group, so a project waits only for itself.
 */
export class StreamSources extends Construct {
  /** One queue for all; a message names its source. */
  readonly deadLetters: Queue;
  readonly queues: Record<QueueName, Queue>;
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
    this.queues = {
      changes: this.queue('Changes', changesQueue),
      mails: this.queue('Mails', mailsQueue),
    };
  }

  /** Invokes a function with records of the table's stream. */
  feedFromTable(lambda: Lambda, { filters, batchSize, maxAge }: StreamSource): void {
    new EventSourceMapping(this, 'Sort', {
      target: lambda,
      eventSourceArn: this.streamArn,
      // No record written before the mapping works is lost.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize,
      // Lambda then keeps the order of the changes of one item (partition and sort key) alone, not that of a partition.
      // It is enough, because all events of a user are on one item, as are those of a workspace.
      parallelizationFactor: 4,
      filters: filters.map((pattern) => ({ pattern: JSON.stringify(pattern) })),
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: -1,
      maxRecordAge: Duration.seconds(maxAge),
      onFailure: { bind: () => ({ destination: this.deadLetters.queueArn }) },
    });
  }

  /** Invokes a function with messages of a queue. */
  feedFromQueue(
    name: JobName,
    lambda: Lambda,
    { queue, batchSize, concurrency }: QueueSource,
  ): void {
    new EventSourceMapping(this, name, {
      target: lambda,
      eventSourceArn: this.queues[queue].queueArn,
      batchSize,
      reportBatchItemFailures: true,
      maxConcurrency: concurrency,
    });
  }

  private queue(id: string, { visibility, retention }: QueueSource): Queue {
    const queue = new Queue(this, id, {
      fifo: true,
      // Each message group then has the queue's throughput limits to itself.
      deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
      fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(visibility),
      retentionPeriod: Duration.seconds(retention),
    });
    Validations.of(queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason:
        'Failed messages are retried for as long as the queue keeps them, in their order; the alarm on the errors of the function is raised.',
    });
    return queue;
  }
}
