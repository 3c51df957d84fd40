import { Tags } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { tableSchema } from '../shared/db/table-schema.ts';
import type { Config } from './config.ts';
import { outlivesStack } from './secrets.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

/** Creates the table from its schema. It is retained when the stack is deleted, or has a table of another id. */
export function makeTable(scope: Construct, config: Config): TableV2 {
  const { deletionProtection, tableId, tags } = config;
  const table = new TableV2(scope, tableId, {
    partitionKey: text(tableSchema.partitionKey),
    sortKey: text(tableSchema.sortKey),
    globalSecondaryIndexes: Object.entries(tableSchema.indexes).map(([indexName, index]) => ({
      indexName,
      partitionKey: text(index.partitionKey),
      sortKey: text(index.sortKey),
      projectionType: ProjectionType[index.projection],
      ...(index.attributes.length > 0 && { nonKeyAttributes: [...index.attributes] }),
    })),
    timeToLiveAttribute: tableSchema.timeToLive,
    dynamoStream: StreamViewType[tableSchema.stream],
    billing: Billing.onDemand(),
    // The account's own aws/dynamodb key: CloudTrail records its every use, and no key policy of ours can lock the data
    // away. An operator who must be able to revoke the key sets `kmsKeyArn` (organisation.ts).
    encryption: TableEncryptionV2.awsManagedKey(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection,
    removalPolicy: outlivesStack,
  });
  for (const [name, value] of Object.entries(tags)) Tags.of(table).add(name, value);
  return table;
}
