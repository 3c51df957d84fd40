import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { providerSecretName, providerSecretsPrefix } from '../../shared/model/provider-secret.ts';
import { CommandFailure, sentenceOf } from '../flags.ts';
import { outputOf } from '../project/stack.ts';

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
      const alike = await likeThoseOf(stack, secrets);
      await secrets
        .send(new CreateSecretCommand({ Name: name, SecretString, Description, ...alike }))
        .catch((raced: unknown) => {
          // Another operator created it meanwhile.
          if (!isNamed(raced, 'ResourceExistsException')) throw raced;
          return put();
        });
    });
    return true;
  } catch (error) {
    if (SecretString === undefined && isNamed(error, 'ResourceNotFoundException')) return false;
    throw new CommandFailure(sentenceOf(error), { cause: error });
  }
}

/**
 * The key and the tags of the stack's own secrets: an organisation may refuse a secret without them. Not the tags of
 * AWS, which nobody else may set.
 */
async function likeThoseOf(stack: string, secrets: SecretsManagerClient) {
  const SecretId = await outputOf(stack, 'CaptchaSecretArn');
  const { KmsKeyId, Tags = [] } = await secrets.send(new DescribeSecretCommand({ SecretId }));
  const own = Tags.filter(({ Key = '' }) => !Key.startsWith('aws:'));
  return { ...(KmsKeyId && { KmsKeyId }), ...(own.length > 0 && { Tags: own }) };
}

const isNamed = (error: unknown, name: string): boolean => (error as Error).name === name;
