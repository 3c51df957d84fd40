import { DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { type Engine, startEngine } from '../local/engine.ts';
import { createTable } from '../local/table.ts';

/** Starts an engine with the table in it; what finds it there is in the environment that is returned, and in ours. */
export async function openTable(): Promise<{
  engine: Engine;
  environment: Record<string, string>;
}> {
  const engine = await startEngine();
  const TableName = 'bench';
  const environment = {
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    TABLE_NAME: TableName,
  };
  Object.assign(process.env, environment);
  try {
    const client = new DynamoDBClient({});
    await createTable(client, TableName);
    // Each record of a stream costs the local engine more than the one before; nothing here reads them.
    const StreamSpecification = { StreamEnabled: false };
    await client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
    client.destroy();
  } catch (error) {
    await engine.close();
    throw error;
  }
  return { engine, environment };
}
