import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { messageOf } from '../../shared/model/message-of.ts';
import { providerSecretName, providerSecretsPrefix } from '../../shared/model/provider-secret.ts';
import { CommandFailure } from '../flags.ts';

/**
 * Stores a client secret in Secrets Manager with the operator's own credentials, not through a function of the service.
 * Undefined deletes it immediately, so that it can be set again. False if there was none to delete.
 */
export async function storeProviderSecret(
  { stack, project, provider }: { stack: string; project: string; provider: string },
  SecretString: string | undefined,
): Promise<boolean> {
  const secrets = new SecretsManagerClient();
  const name = providerSecretName(providerSecretsPrefix(stack), project, provider);
  try {
    if (SecretString === undefined) {
      const ForceDeleteWithoutRecovery = true;
      // Secrets Manager reports no error for the immediate deletion of a missing secret.
      await secrets.send(new DescribeSecretCommand({ SecretId: name }));
      await secrets.send(new DeleteSecretCommand({ SecretId: name, ForceDeleteWithoutRecovery }));
      return true;
    }
    const put = () => secrets.send(new PutSecretValueCommand({ SecretId: name, SecretString }));
    await put().catch(async (error: unknown) => {
      if (!isNamed(error, 'ResourceNotFoundException')) throw error;
      const Description = `Client secret of the project ${project} at ${provider}.`;
      await secrets
        .send(new CreateSecretCommand({ Name: name, SecretString, Description }))
        .catch((raced: unknown) => {
          // Another operator created it meanwhile.
          if (!isNamed(raced, 'ResourceExistsException')) throw raced;
          return put();
        });
    });
    return true;
  } catch (error) {
    if (SecretString === undefined && isNamed(error, 'ResourceNotFoundException')) return false;
    throw new CommandFailure(messageOf(error).replace(/\.?$/, '.'), { cause: error });
  }
}

const isNamed = (error: unknown, name: string): boolean => (error as Error).name === name;
