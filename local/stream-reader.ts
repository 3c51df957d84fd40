import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type _Record,
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';

export type StreamRecord = ReturnType<typeof toLambdaRecord>;

/** The records of one read of a shard, in order. */
export type Page = { shard: string; records: StreamRecord[]; last: string };

type Options = {
  endpoint: string;
  /** Region and credentials of the database. */
  config: Pick<DynamoDBClient['config'], 'region' | 'credentials'>;
  arn: string;
  /** Timeout of one call in milliseconds, so that a hanging call is retried. */
  timeout: number;
  stopped: AbortSignal;
  /** For each shard, the last record that need not be read again. */
  done: ReadonlyMap<string, string>;
};

type Shard = {
  id: string;
  iterator?: string | undefined;
  last?: string | undefined;
  closed: boolean;
};

/** A read of this many records means that more are waiting. */
const manyRecords = 100;

/** Reads a stream: each shard from its last processed record, or from its oldest one. */
export class StreamReader {
  private shards: Shard[] = [];
  private readonly streams: DynamoDBStreamsClient;
  private readonly options: Options;

  constructor(options: Options) {
    const { endpoint, config, timeout } = options;
    const { region, credentials } = config;
    this.options = options;
    this.streams = new DynamoDBStreamsClient({
      ...{ endpoint, region, credentials },
      // The caller retries with its own pauses.
      maxAttempts: 1,
      requestHandler: {
        connectionTimeout: timeout,
        requestTimeout: timeout,
        // Without this option the SDK only warns, and a hanging call hangs forever.
        throwOnRequestTimeout: true,
      },
    });
  }

  /**
   * Yields the available pages, parent shards before their children. Throws if a call fails; the next call continues
   * there.
   */
  async *pages(): AsyncGenerator<Page> {
    if (this.shards.every(({ closed }) => closed)) await this.findShards();
    for (const shard of this.shards) {
      while (!shard.closed) {
        const records = await this.read(shard);
        const last = records.at(-1)?.dynamodb.SequenceNumber;
        if (last === undefined) break;
        shard.last = last;
        yield { shard: shard.id, records, last };
        // Its children come after its end, and a short page is not necessarily the end.
        if (records.length < manyRecords && !shard.closed) return;
      }
    }
  }

  close(): void {
    this.streams.destroy();
  }

  private async findShards(): Promise<void> {
    const known = new Set(this.shards.map(({ id }) => id));
    let ExclusiveStartShardId: string | undefined;
    do {
      const { StreamDescription } = await this.streams.send(
        new DescribeStreamCommand({ StreamArn: this.options.arn, ExclusiveStartShardId }),
        { abortSignal: this.options.stopped },
      );
      for (const { ShardId: id = '' } of StreamDescription?.Shards ?? []) {
        if (!known.has(id))
          this.shards.push({ id, last: this.options.done.get(id), closed: false });
        known.add(id);
      }
      ExclusiveStartShardId = StreamDescription?.LastEvaluatedShardId;
    } while (ExclusiveStartShardId);
  }

  /**
   * Reads the next records of a shard. A shard without a next iterator is closed. Its ending sequence number is
   * ignored, because dynoxide always sets one.
   */
  private async read(shard: Shard): Promise<StreamRecord[]> {
    try {
      shard.iterator ??= await this.iteratorOf(shard);
      const { Records = [], NextShardIterator } = await this.streams.send(
        new GetRecordsCommand({ ShardIterator: shard.iterator }),
        { abortSignal: this.options.stopped },
      );
      shard.iterator = NextShardIterator;
      // A closed shard that still had records is done once these are delivered.
      shard.closed = NextShardIterator === undefined;
      return Records.map((record) => toLambdaRecord(record, this.options.arn));
    } catch (error) {
      const name = error instanceof Error ? error.name : '';
      const lost = name === 'TrimmedDataAccessException';
      if (!lost && name !== 'ExpiredIteratorException') throw error;
      shard.iterator = undefined;
      if (lost) shard.last = undefined;
      return this.read(shard);
    }
  }

  private async iteratorOf({ id, last }: Shard): Promise<string | undefined> {
    const { ShardIterator } = await this.streams.send(
      new GetShardIteratorCommand({
        StreamArn: this.options.arn,
        ShardId: id,
        ShardIteratorType: last === undefined ? 'TRIM_HORIZON' : 'AFTER_SEQUENCE_NUMBER',
        SequenceNumber: last,
      }),
      { abortSignal: this.options.stopped },
    );
    return ShardIterator;
  }
}

/** Converts a record to the form in Lambda's event: times in seconds, bytes in base64. */
function toLambdaRecord(record: _Record, eventSourceARN: string) {
  const { ApproximateCreationDateTime, ...dynamodb } = record.dynamodb ?? {};
  const { PrincipalId: principalId, Type: type } = record.userIdentity ?? {};
  const seconds = Math.floor((ApproximateCreationDateTime?.getTime() ?? Date.now()) / 1000);
  return {
    ...record,
    ...(record.userIdentity && { userIdentity: { principalId, type } }),
    eventSourceARN,
    dynamodb: {
      ...(withoutBytes(dynamodb) as typeof dynamodb),
      ApproximateCreationDateTime: seconds,
    },
  };
}

function withoutBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, withoutBytes(part)]),
  );
}
