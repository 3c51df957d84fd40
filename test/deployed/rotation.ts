import { randomUUID } from 'node:crypto';
import { invoke, resourceLike } from './stack.ts';

const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;

/** Rotates the signing key step by step like Secrets Manager, because the emulator does not. */
export async function rotateSigningKey(): Promise<void> {
  const SecretId = await resourceLike('AWS::SecretsManager::Secret', 'SigningSecret');
  const rotate = await resourceLike('AWS::Lambda::Function', 'keysrotate');
  const ClientRequestToken = randomUUID();
  for (const Step of steps) await invoke(rotate, { Step, SecretId, ClientRequestToken });
}
