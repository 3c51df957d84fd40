import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type _Record,
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';

export type StreamRecord = ReturnType<typeof toLambdaRecord>;

/** The records of one look at a shard, in order. */
export type Page = { shard: string; records: StreamRecord[]; last: string };

type Options = {
  endpoint: string;
  /** Of the database: region and credentials. */
  config: Pick<DynamoDBClient['config'], 'region' | 'credentials'>;
  arn: string;
  /** Milliseconds for one call, so that one that hangs is given up and made again. */
  timeout: number;
  stopped: AbortSignal;
  /** The last record of each shard that needs not be read again. */
  done: ReadonlyMap<string, string>;
};

type Shard = {
  id: string;
  iterator?: string | undefined;
  last?: string | undefined;
  closed: boolean;
};

/** As many at a look mean that more wait. */
const manyRecords = 100;

/** Reads a stream, each shard from behind what is done, or from its oldest record. */
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
      // Whoever reads tries again, with pauses of its own.
      maxAttempts: 1,
      requestHandler: {
        connectionTimeout: timeout,
        requestTimeout: timeout,
        // Without this the SDK only warns, and a call that hangs hangs for ever.
        throwOnRequestTimeout: true,
      },
    });
  }

  /** What there is by now, page after page, parents before their children. Throws where a call fails; then it goes on there. */
  async *pages(): AsyncGenerator<Page> {
    if (this.shards.every(({ closed }) => closed)) await this.findShards();
    for (const shard of this.shards) {
      while (!shard.closed) {
        const records = await this.read(shard);
        const last = records.at(-1)?.dynamodb.SequenceNumber;
        if (last === undefined) break;
        shard.last = last;
        yield { shard: shard.id, records, last };
        // Its children come after its end, which a short page need not be.
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

  /** The next records of a shard. One without a next iterator is closed; its end says nothing, dynoxide sets it always. */
  private async read(shard: Shard): Promise<StreamRecord[]> {
    try {
      shard.iterator ??= await this.iteratorOf(shard);
      const { Records = [], NextShardIterator } = await this.streams.send(
        new GetRecordsCommand({ ShardIterator: shard.iterator }),
        { abortSignal: this.options.stopped },
      );
      shard.iterator = NextShardIterator;
      // A closed shard that still had records is done once these are delivered: nothing is after them.
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

/** A record as Lambda's event carries it: times are seconds, bytes are base64. */
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
