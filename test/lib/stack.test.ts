/** @module-tag proof */
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, test } from 'vitest';
import { tableSchema } from '../../shared/db/table-schema.ts';
import { developmentXpub } from '../../shared/identity/wallet/development-wallet.ts';
import deployedResources from './deployed-resources.json' with { type: 'json' };
import { idOf, production, type Resource, synthesise, validated, xpub } from './synthesise.ts';

// First, because it has every type of resource: the validator rebuilds its rules for each new type.
const prod = validated(production);
const dev = validated({ walletXpub: xpub });
const table = idOf(dev, 'AWS::DynamoDB::GlobalTable');

describe('the table', () => {
  test('has the keys and indexes of the schema, and is retained', () => {
    const { Properties } = dev.resources[table] as Resource;
    expect(Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: tableSchema.partitionKey, KeyType: 'HASH' },
        { AttributeName: tableSchema.sortKey, KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: Object.entries(tableSchema.indexes).map(([IndexName, index]) => ({
        IndexName,
        KeySchema: [
          { AttributeName: index.partitionKey, KeyType: 'HASH' },
          { AttributeName: index.sortKey, KeyType: 'RANGE' },
        ],
        Projection: {
          ProjectionType: index.projection,
          ...(index.attributes.length > 0 && { NonKeyAttributes: index.attributes }),
        },
      })),
      StreamSpecification: { StreamViewType: tableSchema.stream },
      TimeToLiveSpecification: { AttributeName: tableSchema.timeToLive, Enabled: true },
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      Replicas: [{ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }],
    });
  });
});

describe('the data of a deployment', () => {
  const stays = Object.values(dev.resources).filter(
    ({ DeletionPolicy = 'Delete' }) => DeletionPolicy !== 'Delete',
  );

  test('is retained when the stack is deleted, but not when its creation fails', () => {
    expect(stays.map(({ Type }) => Type).sort()).toEqual([
      'AWS::DynamoDB::GlobalTable',
      'AWS::SecretsManager::Secret',
      'AWS::SecretsManager::Secret',
      'AWS::SecretsManager::Secret',
      'AWS::SecretsManager::Secret',
      'AWS::SecretsManager::Secret',
      'AWS::SecretsManager::Secret',
    ]);
    for (const { DeletionPolicy, UpdateReplacePolicy } of stays)
      expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain']);
  });

  test('has no fixed names, so a failed creation blocks no other', () => {
    for (const { Type, Properties } of stays)
      expect(Properties, Type).not.toHaveProperty(Type.endsWith('Secret') ? 'Name' : 'TableName');
  });

  test.each([
    [true, prod],
    [false, dev],
  ])('deletionProtection %s applies to the stack and the table', (on, { stack, resources }) => {
    expect(stack.terminationProtection).toBe(on);
    const [replica] = resources[table]?.Properties['Replicas'] ?? [];
    expect(replica).toMatchObject({ DeletionProtectionEnabled: on });
  });
});

describe('an upgrade', () => {
  const deployed: Record<string, string> = deployedResources;

  test('keeps the logical ids of resources with data, with a fixed name or with callers', () => {
    const today = Object.entries(dev.resources).map(([id, { Type }]) => [id, Type]);
    // A function is removed with its endpoint. Its name is fixed, so it could not be recreated under another id.
    const kept = (type: string, id: string) =>
      type !== 'AWS::Lambda::Function' || dev.resources[id] !== undefined;
    expect(Object.fromEntries(today)).toMatchObject(
      Object.fromEntries(Object.entries(deployed).filter(([id, type]) => kept(type, id))),
    );
  });

  test('has each function under the id of its operation, in any domain', () => {
    const functions = Object.entries(dev.resources).filter(
      ([, { Type }]) => Type === 'AWS::Lambda::Function',
    );
    expect(functions.map(([id]) => id.slice(0, -8))).toEqual(
      functions.map(
        ([, { Properties }]) => `${Properties['Description'].replace('.', '')}Function`,
      ),
    );
  });
});

describe('a restored table', () => {
  const restored = synthesise({ walletXpub: xpub, tableId: 'Table2' });
  const restoredTable = idOf(restored, 'AWS::DynamoDB::GlobalTable');

  test('is the only new resource for `cdk import`, and can be imported', () => {
    const added = Object.keys(restored.resources).filter((id) => !(id in dev.resources));
    expect(added).toEqual([restoredTable]);
    expect(restoredTable).toMatch(/^Table2/);
    // CloudFormation cannot import a resource without one.
    expect(restored.resources[restoredTable]).toHaveProperty('DeletionPolicy');
  });

  test('replaces the earlier table, which is retained', () => {
    const gone = Object.keys(dev.resources).filter((id) => !(id in restored.resources));
    expect(gone).toEqual([table]);
    expect(dev.resources[table]?.DeletionPolicy).toBe('RetainExceptOnCreate');
    expect(JSON.stringify(restored.template)).not.toContain(table);
  });

  test('equals the earlier table in all but its id', () => {
    const renamed = JSON.stringify(restored.resources).replaceAll(restoredTable, table);
    const { Metadata: _, ...before } = dev.resources[table] as Resource & { Metadata?: object };
    const { Metadata: __, ...now } = JSON.parse(renamed)[table];
    expect(now).toStrictEqual(before);
  });
});

describe('synthesis', () => {
  test('gives the same template for the same context', () => {
    const again = synthesise({ walletXpub: xpub }, () => {});
    expect(again.template).toStrictEqual(dev.template);
  });

  test('fails if a rule of AwsSolutions is violated', () => {
    expect(() =>
      synthesise({ walletXpub: xpub }, (stack) => new Queue(stack, 'Unprotected')),
    ).toThrow('AwsSolutions-SQS3');
  });

  test('passes the rules of CloudFormation without tracing too', () => {
    expect(() => validated({ walletXpub: xpub, tracing: false })).not.toThrow();
  });

  test('sets no extended public key by default', () => {
    const bare = validated({});
    expect(bare.functionOf('users.create').Properties['Environment'].Variables).not.toHaveProperty(
      'WALLET_XPUB',
    );
    expect(JSON.stringify(bare.template)).not.toContain(developmentXpub);
  });

  test('sets the configured wallet key and log retention', () => {
    expect(prod.stack).toMatchObject({
      stackName: 'identity-workspace-prod',
      terminationProtection: true,
    });
    const variables = prod.functionOf('users.create').Properties['Environment'].Variables;
    expect(variables).toMatchObject({ WALLET_XPUB: xpub, WALLET_TYPE: 'custodial' });
    expect(JSON.stringify(prod.template)).not.toContain(developmentXpub);
    for (const { Properties } of prod.ofType('AWS::Logs::LogGroup'))
      expect(Properties['RetentionInDays']).toBe(365);
  });
});
