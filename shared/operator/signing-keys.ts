import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  sign,
  verify,
} from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { parseSigningSecret, type SigningSecret } from '../auth/signing-secret.ts';
import { newSecret } from '../ids.ts';
import { lifetimes } from '../limits.ts';
import { currentRequest } from '../request.ts';
import { listPublicKeys, publishKey, retireKeysBut } from '../table/public-keys.ts';

/** The four steps by which Secrets Manager rotates a secret, for the key pair that signs access tokens. */

const secrets = new SecretsManagerClient({ maxAttempts: 3 });

/** `createSecret`: a new pair as the pending version; the refresh secret stays, or every session would end. */
export async function makePending(SecretId: string, token: string): Promise<void> {
  if (await read(SecretId, { VersionId: token, VersionStage: 'AWSPENDING' })) return;
  const current = await read(SecretId, { VersionStage: 'AWSCURRENT' });
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const secret: SigningSecret = {
    kid: thumbprint(publicKey.export({ format: 'jwk' })),
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    refresh_secret: current?.refresh_secret ?? newSecret(),
  };
  await secrets.send(
    new PutSecretValueCommand({
      SecretId,
      ClientRequestToken: token,
      SecretString: JSON.stringify(secret),
      VersionStages: ['AWSPENDING'],
    }),
  );
}

/** `setSecret`: publishes the public key, before anything is signed with it. */
export async function publishPending(SecretId: string, token: string): Promise<void> {
  const { kid, private_key } = await requirePending(SecretId, token);
  const { n = '', e = '' } = createPublicKey(private_key).export({ format: 'jwk' });
  await publishKey({ kid, n, e });
}

/**
 * `testSecret`: what the pending key signs, the published key verifies. Where other keys are in use it also waits
 * until every verifier that met an unknown key just before the publication may read the keys again.
 */
export async function testPending(SecretId: string, token: string): Promise<void> {
  const { kid, private_key } = await requirePending(SecretId, token);
  const published = await listPublicKeys();
  const item = published.find((each) => each.kid === kid);
  const content = Buffer.from(token);
  const signature = sign('sha256', content, createPrivateKey(private_key));
  const jwk = { kty: 'RSA', n: item?.n ?? '', e: item?.e ?? '' };
  if (!item || !verify('sha256', content, createPublicKey({ key: jwk, format: 'jwk' }), signature))
    throw new Error(`The published key ${kid} does not verify what the pending key signs.`);
  const { now, signal } = currentRequest();
  const settled = Date.parse(item.created_at) + (lifetimes.publicKeyReread + 2) * 1_000;
  if (published.length > 1 && settled > now.getTime())
    await sleep(settled - now.getTime(), undefined, { signal });
}

/** `finishSecret`: the pending version becomes the current one; the keys before it verify until no session needs them. */
export async function finishRotation(SecretId: string, token: string): Promise<void> {
  const { VersionIdsToStages = {} } = await secrets.send(new DescribeSecretCommand({ SecretId }));
  const current = Object.entries(VersionIdsToStages).find(([, stages]) =>
    stages.includes('AWSCURRENT'),
  )?.[0];
  if (current !== token)
    await secrets.send(
      new UpdateSecretVersionStageCommand({
        SecretId,
        VersionStage: 'AWSCURRENT',
        MoveToVersionId: token,
        RemoveFromVersionId: current,
      }),
    );
  const finished = await read(SecretId, { VersionId: token });
  if (finished) await retireKeysBut(finished.kid);
}

async function requirePending(SecretId: string, VersionId: string): Promise<SigningSecret> {
  const secret = await read(SecretId, { VersionId });
  if (!secret) throw new Error('There is no pending version of the signing secret.');
  return secret;
}

/** A version of the secret, or undefined where there is none or it is not a key yet, as right after the deployment. */
async function read(
  SecretId: string,
  version: { VersionId?: string; VersionStage?: string },
): Promise<SigningSecret | undefined> {
  try {
    const { SecretString } = await secrets.send(
      new GetSecretValueCommand({ SecretId, ...version }),
    );
    return parseSigningSecret(SecretString);
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** RFC 7638. */
function thumbprint({ e, kty, n }: JsonWebKey): string {
  return createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url');
}
