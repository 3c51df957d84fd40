import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createClock } from '../../shared/db/transport/clock.ts';
import { createSigner } from '../../shared/db/transport/sign.ts';
import { signedPost } from '../../shared/db/transport/signed-post.ts';

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
  private readonly options: Options;
  private readonly call: ReturnType<typeof streamsCaller>;

  constructor(options: Options) {
    this.options = options;
    this.call = streamsCaller(options);
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

  private async findShards(): Promise<void> {
    const shardIds = new Set(this.shards.map(({ id }) => id));
    let ExclusiveStartShardId: string | undefined;
    do {
      const input = { StreamArn: this.options.arn, ExclusiveStartShardId };
      const { StreamDescription } = await this.call<Description>('DescribeStream', input);
      for (const { ShardId: id = '' } of StreamDescription?.Shards ?? []) {
        if (!shardIds.has(id))
          this.shards.push({ id, last: this.options.done.get(id), closed: false });
        shardIds.add(id);
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
      const { Records = [], NextShardIterator } = await this.call<Records>('GetRecords', {
        ShardIterator: shard.iterator,
      });
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
    const { ShardIterator } = await this.call<{ ShardIterator?: string }>('GetShardIterator', {
      StreamArn: this.options.arn,
      ShardId: id,
      ShardIteratorType: last === undefined ? 'TRIM_HORIZON' : 'AFTER_SEQUENCE_NUMBER',
      SequenceNumber: last,
    });
    return ShardIterator;
  }
}

/**
 * Calls DynamoDB Streams without the SDK. Its JSON has the format of Lambda's events; the SDK would convert dates and
 * bytes, which takes three quarters of the CPU time of a read. Fails with the name of the exception, and never retries.
 */
function streamsCaller({ endpoint, config, timeout, stopped }: Options) {
  const url = new URL(endpoint);
  const clock = createClock();
  const bounds = { connection: timeout, response: timeout };
  let sign: ReturnType<typeof createSigner> | undefined;
  return async <Out>(operation: string, input: object): Promise<Out> => {
    sign ??= createSigner(await config.region());
    const call = {
      target: `DynamoDBStreams_20120810.${operation}`,
      contentType: 'application/x-amz-json-1.0',
      body: JSON.stringify(input),
    };
    const place = { url, credentials: config.credentials };
    const { statusCode, body } = await signedPost(place, sign, clock, call, stopped, bounds);
    const output = JSON.parse(body.toString()) as Out &
      Record<'__type' | 'message', string | undefined>;
    if (statusCode < 300) return output;
    const error = new Error(output.message ?? `${operation} was answered ${statusCode}`);
    error.name = output['__type']?.split('#').at(-1) ?? 'Error';
    throw error;
  };
}

type Description = {
  StreamDescription?: { Shards?: { ShardId?: string }[]; LastEvaluatedShardId?: string };
};
type Image = Record<string, Record<string, unknown>>;
type Records = {
  Records?: {
    eventID?: string;
    eventName?: 'INSERT' | 'MODIFY' | 'REMOVE';
    eventVersion?: string;
    eventSource?: string;
    awsRegion?: string;
    userIdentity?: { PrincipalId?: string; Type?: string };
    dynamodb?: {
      ApproximateCreationDateTime?: number;
      Keys?: Image;
      NewImage?: Image;
      OldImage?: Image;
      SequenceNumber?: string;
      SizeBytes?: number;
      StreamViewType?: string;
    };
  }[];
  NextShardIterator?: string;
};

/** A record as in Lambda's event: times in whole seconds, and `userIdentity` with lower-case fields. */
function toLambdaRecord(
  { userIdentity, dynamodb, ...record }: NonNullable<Records['Records']>[number],
  eventSourceARN: string,
) {
  const { PrincipalId: principalId, Type: type } = userIdentity ?? {};
  const seconds = Math.floor(dynamodb?.ApproximateCreationDateTime ?? Date.now() / 1000);
  return {
    ...record,
    ...(userIdentity && { userIdentity: { principalId, type } }),
    eventSourceARN,
    dynamodb: { ...dynamodb, ApproximateCreationDateTime: seconds },
  };
}
