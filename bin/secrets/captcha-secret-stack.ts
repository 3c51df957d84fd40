import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { changedCaptchaKeys, type KeyChange } from '../../shared/captcha/key-name.ts';
import { captchaKeysIn } from '../../shared/captcha/keys-text.ts';
import { CommandFailure, sentenceOf } from '../flags.ts';
import { outputOf } from '../project/stack.ts';

/** Attempts, each of which a concurrent operator may defeat. */
const maxTries = 5;

/**
 * Changes the keys of one project, with the operator's own credentials. The keys of all projects are one secret: a
 * version becomes current only if the version it is based on still is, so concurrent operators do not undo each other's
 * changes. False if there was none to delete.
 */
export async function changeCaptchaKeys(
  stack: string,
  project: string,
  change: KeyChange | undefined,
): Promise<boolean> {
  const SecretId = await outputOf(stack, 'CaptchaSecretArn');
  const secrets = new SecretsManagerClient();
  try {
    for (let tries = maxTries; tries > 0; tries -= 1) {
      const before = await secrets.send(new GetSecretValueCommand({ SecretId }));
      const SecretString = changed(before.SecretString ?? '', project, change);
      // An earlier try found a key: it is gone by a call whose answer was lost, or by another operator.
      if (SecretString === undefined) return change !== undefined || tries < maxTries;
      // The stage of a version that is not in use yet, as in a rotation.
      const put = new PutSecretValueCommand({
        SecretId,
        SecretString,
        VersionStages: ['AWSPENDING'],
      });
      const { VersionId: MoveToVersionId } = await secrets.send(put);
      const VersionStage = 'AWSCURRENT';
      const RemoveFromVersionId = before.VersionId;
      const move = { SecretId, VersionStage, MoveToVersionId, RemoveFromVersionId };
      const isMoved = await secrets.send(new UpdateSecretVersionStageCommand(move)).then(
        () => true,
        (error: unknown) => {
          if (!overtaken.has((error as Error).name)) throw error;
          return false;
        },
      );
      if (isMoved) return true;
    }
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(sentenceOf(error), { cause: error });
  }
  throw new CommandFailure('Somebody else keeps changing the keys. Try again.');
}

/** Another version is current, or has taken the stage of our version, which deletes ours. */
const overtaken: ReadonlySet<string> = new Set([
  'InvalidParameterException',
  'InvalidRequestException',
  'ResourceNotFoundException',
]);

/** The text of the secret with the change; undefined if it changes nothing. */
function changed(text: string, project: string, change: KeyChange | undefined): string | undefined {
  const keys = captchaKeysIn(text);
  // Continuing would lose the keys of the other projects.
  if (!keys)
    throw new CommandFailure(
      'The secret CaptchaSecret is no object of texts. Repair it first: aws secretsmanager get-secret-value, with --version-stage AWSPREVIOUS the one before.',
    );
  const after = JSON.stringify(Object.fromEntries(changedCaptchaKeys(keys, project, change)));
  return after === JSON.stringify(Object.fromEntries(keys)) ? undefined : after;
}
