import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { messageOf } from '../shared/model/message-of.ts';
import { CommandFailure } from './flags.ts';

/** Opens CloudFormation, where every command for a stack begins. Throws a `CommandFailure` if no region is set. */
export async function openCloudFormation(): Promise<CloudFormationClient> {
  const client = new CloudFormationClient();
  await client.config.region().catch((error: unknown) => {
    if (!/missing/i.test(messageOf(error))) throw error;
    throw new CommandFailure('No AWS region: set AWS_REGION or a profile.');
  });
  return client;
}
