import { deepEqual, equal, ok } from 'node:assert/strict';
import { DescribeTableCommand, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Assembly } from './assembly.ts';
import type { Checks } from './checks.ts';
import { destroy, resourcesOf } from './stack.ts';

/** Destroys the stack: resources that cannot be recreated stay. */
export async function remove(checks: Checks, assembly: Assembly, table: string): Promise<void> {
  const dynamodb = new DynamoDBClient();
  const secretsManager = new SecretsManagerClient();
  await checks.check('cdk destroy leaves the table, its items and the secrets', async () => {
    const secrets = Object.values(await resourcesOf('AWS::SecretsManager::Secret'));
    const count = async () =>
      (await dynamodb.send(new ScanCommand({ TableName: table, Select: 'COUNT' }))).Count ?? 0;
    const items = await count();
    await destroy(assembly);
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: table }));
    deepEqual([Table?.TableStatus, await count()], ['ACTIVE', items]);
    equal(secrets.length, 6);
    for (const SecretId of secrets) {
      const { DeletedDate } = await secretsManager.send(new DescribeSecretCommand({ SecretId }));
      ok(DeletedDate === undefined, SecretId);
    }
  });
}
