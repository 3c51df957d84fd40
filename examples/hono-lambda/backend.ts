import { createBackend } from 'identity-workspace-client/server';

const { SERVICE_URL: url = '', PROJECT_ID: projectId = '', SECRET_ID: SecretId } = process.env;

/** One for the whole instance: it keeps the keys. A function that only verifies tokens reads no secret. */
export const backend = createBackend({
  url,
  projectId,
  secret: async () => {
    const { GetSecretValueCommand, SecretsManagerClient } = await import(
      '@aws-sdk/client-secrets-manager'
    );
    const answer = await new SecretsManagerClient().send(new GetSecretValueCommand({ SecretId }));
    return answer.SecretString ?? '';
  },
});
