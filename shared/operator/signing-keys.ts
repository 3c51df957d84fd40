import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { calculateJwkThumbprint } from 'jose';
import { deriveEs256Key } from '../access/es256-key.ts';
import {
  listPublicKeys,
  type PublicKey,
  publishKey,
  retireKeysBut,
  toJwk,
} from '../access/public-keys.ts';
import { parseSigningSecret, type SigningSecret } from '../access/signing-keys.ts';
import { newSecret } from '../model/ids.ts';

/** The four steps of a Secrets Manager rotation, for the key pair that signs access tokens. */

const secrets = new SecretsManagerClient({ maxAttempts: 3 });

/** Whether the secret holds a signing key, not the random text with which it was created. */
export const hasKey = async (SecretId: string): Promise<boolean> =>
  (await read(SecretId, { VersionStage: 'AWSCURRENT' })) !== undefined;

/**
 * `createSecret`: the pair prepared as the next one now signs, and a new pair becomes the next one. So each key is
 * published a whole rotation before it signs, because API Gateway's JWT authorizers cache a key set for two hours. The
 * refresh secret is kept; otherwise every session would end.
 */
export async function makePending(SecretId: string, token: string): Promise<void> {
  const { current, made } = await readFollowing(SecretId, token);
  if (made) return;
  const secret: SigningSecret = {
    ...(current?.next ?? (await newPair())),
    next: await newPair(),
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

/** The current version, and the one of the token. Drops the latter and throws if it does not follow the former. */
async function readFollowing(SecretId: string, token: string) {
  const current = await read(SecretId, { VersionStage: 'AWSCURRENT' });
  const made = await read(SecretId, { VersionId: token });
  if (!made || !current || follows(made, current)) return { current, made };
  await endPending(SecretId, token);
  throw new Error(
    'The pending version was not made from the current one, so it was dropped. The next rotation makes another.',
  );
}

/**
 * Whether a version is the current one, or was made from it. Any other would bring back what an operator has replaced
 * since, such as a refresh secret that leaked.
 */
const follows = (made: SigningSecret, current: SigningSecret): boolean =>
  made.refresh_secret === current.refresh_secret &&
  (made.kid === current.next.kid ||
    (made.kid === current.kid && made.next.kid === current.next.kid));

/**
 * `setSecret`: publishes the public keys; also the current ones, of which an earlier release has published only RSA,
 * because instances sign with them until they read the secret again.
 */
export async function publishPending(SecretId: string, token: string): Promise<void> {
  const pending = await requirePending(SecretId, token);
  const current = await read(SecretId, { VersionStage: 'AWSCURRENT' });
  for (const { privateKey: _, ...key } of [
    ...(current ? allKeys(current) : []),
    ...allKeys(pending),
  ])
    await publishKey(key);
}

/** `testSecret`: verifies that the published keys verify signatures of the pending keys. */
export async function testPending(SecretId: string, token: string): Promise<void> {
  const pending = await requirePending(SecretId, token);
  const published = await listPublicKeys();
  const content = Buffer.from(token);
  for (const { kid, privateKey } of allKeys(pending)) {
    const item = published.find((each) => each.kid === kid);
    const signature = sign('sha256', content, privateKey);
    if (
      !item ||
      !verify('sha256', content, createPublicKey({ key: toJwk(item), format: 'jwk' }), signature)
    )
      throw new Error(`The published key ${kid} does not verify the signature of the pending key.`);
  }
}

/**
 * `finishSecret`: the pending version becomes current, unless an operator has stored another since it was made. The
 * previous keys verify until no live access token needs them.
 */
export async function finishRotation(SecretId: string, token: string): Promise<void> {
  const current = Object.entries(await stagesOf(SecretId)).find(([, stages]) =>
    stages.includes('AWSCURRENT'),
  )?.[0];
  const { made } = await readFollowing(SecretId, token);
  if (current !== token)
    await secrets.send(
      new UpdateSecretVersionStageCommand({
        SecretId,
        VersionStage: 'AWSCURRENT',
        MoveToVersionId: token,
        RemoveFromVersionId: current,
      }),
    );
  if (made) await retireKeysBut(allKeys(made).map(({ kid }) => kid));
  await endPending(SecretId, token);
}

/**
 * Takes the label from a version. If it stayed there, and an operator stored a newer version, Secrets Manager would
 * consider the rotation unfinished: it would refuse the next one and repeat this one.
 */
async function endPending(SecretId: string, token: string): Promise<void> {
  const VersionStage = 'AWSPENDING';
  if (!(await stagesOf(SecretId))[token]?.includes(VersionStage)) return;
  await secrets.send(
    new UpdateSecretVersionStageCommand({ SecretId, VersionStage, RemoveFromVersionId: token }),
  );
}

/** The labels of each version. */
async function stagesOf(SecretId: string): Promise<Record<string, string[]>> {
  const described = await secrets.send(new DescribeSecretCommand({ SecretId }));
  return described.VersionIdsToStages ?? {};
}

/** The keys of a secret: of its two pairs, each an RSA key and the ES256 key beside it. */
function allKeys(secret: SigningSecret): (PublicKey & { privateKey: KeyObject })[] {
  return [secret, secret.next].flatMap(({ kid, private_key }) => {
    const privateKey = createPrivateKey(private_key);
    const { n = '', e = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
    return [{ kid, n, e, privateKey }, deriveEs256Key({ kid, privateKey })];
  });
}

/** A new RSA key, named by its thumbprint (RFC 7638). */
async function newPair() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    kid: await calculateJwkThumbprint(publicKey),
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

async function requirePending(SecretId: string, VersionId: string): Promise<SigningSecret> {
  const secret = await read(SecretId, { VersionId });
  if (!secret) throw new Error('There is no pending version of the signing secret.');
  return secret;
}

/** A version of the secret. Undefined if it does not exist or holds no key yet, as right after the first deployment. */
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
