import { randomUUID } from 'node:crypto';
import { invoke, resourceLike } from './stack.ts';

const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;

/** Rotates the signing key as Secrets Manager does it, which the emulator does not: step by step. */
export async function rotateSigningKey(): Promise<void> {
  const SecretId = await resourceLike('AWS::SecretsManager::Secret', 'SigningSecret');
  const rotate = await resourceLike('AWS::Lambda::Function', 'keysrotate');
  const ClientRequestToken = randomUUID();
  for (const Step of steps) await invoke(rotate, { Step, SecretId, ClientRequestToken });
}
