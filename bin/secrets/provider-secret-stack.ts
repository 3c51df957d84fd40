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
 * Puts a client secret into Secrets Manager with the operator's own credentials, without a function of the service in
 * between; undefined deletes it, at once, so that it can be set again. False if there was none to delete.
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
      // To delete at once one that is not there is no error of Secrets Manager.
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
          // Somebody else has created it in between.
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
