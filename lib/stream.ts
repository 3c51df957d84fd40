import { Duration, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { prefixes } from '../shared/table/shape.ts';
import type { ServiceFunction } from './function.ts';

/** Only these changes have consequences (shared/table/stream.ts); Lambda drops the others at no charge. */
const relevant = [
  change('MODIFY', FilterRule.isEqual('USER')),
  change('MODIFY', FilterRule.isEqual('WS'), { deleted_at: { S: FilterRule.exists() } }),
  ...Object.values(prefixes).map((prefix) => change('INSERT', FilterRule.beginsWith(prefix))),
];

function change(eventName: string, sk: unknown, NewImage?: object) {
  return FilterCriteria.filter({
    eventName: FilterRule.isEqual(eventName),
    dynamodb: { Keys: { sk: { S: sk } }, ...(NewImage && { NewImage }) },
  });
}

/** Feeds the table's stream to its function; what fails for good is told to the dead-letter queue. */
export class StreamFeed extends Construct {
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: { table: TableV2; consume: ServiceFunction }) {
    super(scope, id);
    const { table, consume } = props;
    if (!table.tableStreamArn) throw new Error('The table has no stream.');
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.deadLetters).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is the dead-letter queue.',
    });
    consume.role.addToPolicy(
      new PolicyStatement({
        actions: ['sqs:SendMessage'],
        resources: [this.deadLetters.queueArn],
      }),
    );
    new EventSourceMapping(this, 'Mapping', {
      target: consume.lambda,
      eventSourceArn: table.tableStreamArn,
      // Nothing written before the mapping works is lost.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 25,
      // Changes of one partition keep their order; those of different ones go side by side.
      parallelizationFactor: 4,
      filters: relevant,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      // A failing record holds up its shard. Throttling or an outage of minutes is waited out, while the iterator
      // age alarm goes off long before the 24 hours that the stream keeps.
      retryAttempts: 100,
      maxRecordAge: Duration.hours(2),
      onFailure: { bind: () => ({ destination: this.deadLetters.queueArn }) },
    });
  }
}
