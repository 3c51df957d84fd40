import { randomUUID } from 'node:crypto';
import * as z from 'zod';

/** One secret with its versions. A version without a stage is deleted, as in Secrets Manager. */
export const storedSecret = z.strictObject({
  name: z.string(),
  /** Whether a rotation has ever replaced the initial random text. */
  rotated: z.boolean(),
  versions: z.record(
    z.string(),
    z.strictObject({ value: z.string().optional(), stages: z.array(z.string()) }),
  ),
});
export type StoredSecret = z.output<typeof storedSecret>;

/** An error that the SDK converts to the exception of this name. */
export class SecretsError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

export type Input = Record<string, unknown>;
export type Operation = (secret: StoredSecret, input: Input) => object;

/** The operations of Secrets Manager that the service uses, each on the secret it names. */
export const operations: Record<string, Operation> = {
  GetSecretValue(secret, input) {
    const { VersionId, VersionStage = VersionId === undefined ? 'AWSCURRENT' : undefined } = input;
    const found = Object.entries(secret.versions).find(
      ([id, { stages }]) =>
        (VersionId === undefined || VersionId === id) &&
        (VersionStage === undefined || stages.includes(String(VersionStage))),
    );
    if (found?.[1].value === undefined) {
      throw new SecretsError(
        'ResourceNotFoundException',
        "Secrets Manager can't find the specified secret value.",
      );
    }
    const [id, { value, stages }] = found;
    return { ...nameOf(secret), VersionId: id, SecretString: value, VersionStages: stages };
  },

  PutSecretValue(secret, input) {
    const id = String(input['ClientRequestToken'] ?? randomUUID());
    const value = input['SecretString'];
    if (typeof value !== 'string') {
      throw new SecretsError('InvalidParameterException', 'Only SecretString is supported here.');
    }
    const storedValue = secret.versions[id]?.value;
    if (storedValue !== undefined && storedValue !== value) {
      throw new SecretsError(
        'ResourceExistsException',
        'The version exists with another value, and a version never changes.',
      );
    }
    secret.versions[id] = { value, stages: secret.versions[id]?.stages ?? [] };
    for (const stage of (input['VersionStages'] as string[] | undefined) ?? ['AWSCURRENT']) {
      moveStage(secret, stage, id);
    }
    dropUnnamed(secret);
    return { ...nameOf(secret), VersionId: id, VersionStages: secret.versions[id]?.stages };
  },

  DescribeSecret(secret) {
    const stages = Object.entries(secret.versions).map(([id, version]) => [id, version.stages]);
    return { ...nameOf(secret), VersionIdsToStages: Object.fromEntries(stages) };
  },

  UpdateSecretVersionStage(secret, input) {
    const { VersionStage, MoveToVersionId, RemoveFromVersionId } = input;
    const stage = String(VersionStage);
    const holder = holderOf(secret, stage);
    const moves = holder !== undefined && holder !== MoveToVersionId;
    if (moves && holder !== RemoveFromVersionId) {
      throw new SecretsError(
        'InvalidParameterException',
        `RemoveFromVersionId must name the version that has ${stage} now.`,
      );
    }
    if (MoveToVersionId === undefined) take(secret, stage);
    else if (secret.versions[String(MoveToVersionId)]) {
      moveStage(secret, stage, String(MoveToVersionId));
    } else throw new SecretsError('ResourceNotFoundException', 'There is no such version.');
    dropUnnamed(secret);
    return nameOf(secret);
  },
};

/** Adds the empty pending version that Secrets Manager creates before it calls the rotation function. */
export function addPending(secret: StoredSecret, id: string): void {
  secret.versions[id] = { stages: [] };
  moveStage(secret, 'AWSPENDING', id);
  dropUnnamed(secret);
}

export function arnOf(name: string): string {
  return `arn:aws:secretsmanager:local:000000000000:secret:${name}`;
}

/** Whether `SecretId`, a name or an ARN, identifies the secret. */
export function isNamed(name: string, SecretId: unknown): boolean {
  return SecretId === name || SecretId === arnOf(name);
}

function nameOf({ name }: StoredSecret) {
  return { ARN: arnOf(name), Name: name };
}

function holderOf({ versions }: StoredSecret, stage: string): string | undefined {
  return Object.entries(versions).find(([, { stages }]) => stages.includes(stage))?.[0];
}

function take(secret: StoredSecret, stage: string): string | undefined {
  const holder = holderOf(secret, stage);
  const version = holder === undefined ? undefined : secret.versions[holder];
  if (version) version.stages = version.stages.filter((each) => each !== stage);
  return holder;
}

/** Moves a stage to a version. The former current version becomes the previous one. */
function moveStage(secret: StoredSecret, stage: string, id: string): void {
  const before = take(secret, stage);
  secret.versions[id]?.stages.push(stage);
  if (stage !== 'AWSCURRENT' || before === undefined || before === id) return;
  take(secret, 'AWSPREVIOUS');
  secret.versions[before]?.stages.push('AWSPREVIOUS');
}

function dropUnnamed(secret: StoredSecret): void {
  for (const [id, { stages }] of Object.entries(secret.versions)) {
    if (stages.length === 0) delete secret.versions[id];
  }
}
