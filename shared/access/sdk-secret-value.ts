import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

const secrets = new SecretsManagerClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 300, requestTimeout: 1_000, throwOnRequestTimeout: true },
});

/** Reads the text of a secret where only the SDK knows the place, or is asked for by `DYNAMODB_TRANSPORT`. */
export async function getSecretValueBySdk(
  SecretId: string,
  abortSignal: AbortSignal,
): Promise<string> {
  const command = new GetSecretValueCommand({ SecretId });
  return (await secrets.send(command, { abortSignal })).SecretString ?? '';
}
