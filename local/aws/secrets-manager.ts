import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { readCaptchaKeys } from '../captcha-keys.ts';
import { secretNames } from '../environment.ts';
import { StartFailure } from '../failure.ts';
import { readJson, writeJson } from '../file.ts';
import { refusal, serveJson } from '../loopback.ts';
import { type ProviderSecrets, providerSecretsIn } from '../provider-secrets.ts';
import { type Handler, invoke } from './lambda.ts';
import {
  addPending,
  arnOf,
  type Input,
  isNamed,
  type Operation,
  operations,
  SecretsError,
  type StoredSecret,
  storedSecret,
} from './secret-operations.ts';

export type Secrets = {
  endpoint: string;
  /** Whether a rotation has ever finished. */
  rotated(): boolean;
  /** Rotates the secret like Secrets Manager: four steps, each a separate invocation of `keys.rotate`. */
  rotate(handler: Handler): Promise<void>;
  close(): Promise<void>;
};

export type SecretsOptions = {
  /** Names of further secrets, which are never rotated. */
  plain?: readonly string[];
  /** File that stores the secrets; in memory without it. */
  file?: string | undefined;
  /** Secrets that operators set. Their names begin with `secretNames.providers`. */
  providers?: ProviderSecrets;
  /** File with the captcha keys that operators set. It replaces the value of the plain captcha secret. */
  captchaKeys?: string | undefined;
};

/**
 * Serves secrets with the protocol of Secrets Manager on a free loopback port: one that rotates, and plain ones. The
 * value of a new secret is random text, as in the stack.
 */
export async function startSecrets(name: string, options: SecretsOptions = {}): Promise<Secrets> {
  const { plain = [], file, providers = providerSecretsIn(undefined), captchaKeys } = options;
  const names = [name, ...plain];
  const kept = file === undefined ? [] : await load(file, names);
  const secrets = names.map((each) => kept.find((one) => one.name === each) ?? newSecret(each));
  const [secret = newSecret(name)] = secrets;
  const save = async () => {
    if (file) await writeJson(file, secrets);
  };
  await save();
  // Sequential: each operation sees what the previous one stored.
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => T): Promise<T> => {
    const done = queue.then(async () => {
      const before = JSON.stringify(secrets);
      const result = work();
      if (JSON.stringify(secrets) !== before) await save();
      return result;
    });
    queue = done.catch(() => {});
    return done;
  };

  const server = await serveJson('application/x-amz-json-1.1', (request, text) =>
    answer(request, text, async (operation, input) => {
      const set =
        (await setByOperator(providers, input)) ?? (await captchaSecret(captchaKeys, input));
      // A copy: the service only reads them.
      return set ? operation(set, input) : inTurn(() => operation(find(secrets, input), input));
    }),
  );

  return {
    endpoint: server.endpoint,
    rotated: () => secret.rotated,
    async rotate(handler) {
      const ClientRequestToken = randomUUID();
      // The version exists, without a value, before the function is called.
      await inTurn(() => addPending(secret, ClientRequestToken));
      for (const Step of ['createSecret', 'setSecret', 'testSecret', 'finishSecret']) {
        const event = { Step, SecretId: arnOf(name), ClientRequestToken };
        await invoke('keys.rotate', handler, event);
      }
      await inTurn(() => {
        if (!secret.versions[ClientRequestToken]?.stages.includes('AWSCURRENT')) {
          throw new Error(
            'The rotation function did not make the pending version the current one.',
          );
        }
        secret.rotated = true;
      });
    },
    async close() {
      server.close();
      await queue;
    },
  };
}

/** An older file contains only the rotating secret. */
const keptSecrets = z.union([z.array(storedSecret), storedSecret.transform((secret) => [secret])]);

async function load(file: string, names: readonly string[]): Promise<StoredSecret[]> {
  const found = (await readJson(file, keptSecrets)) ?? [];
  const other = found.find(({ name }) => !names.includes(name));
  if (other) throw new StartFailure(`${file} contains other secrets than ${names.join(' and ')}.`);
  return found;
}

/** The secret that an operator has set under a name; undefined for other kinds of names and for unknown names. */
async function setByOperator(
  providers: ProviderSecrets,
  { SecretId }: Input,
): Promise<StoredSecret | undefined> {
  const name = String(SecretId);
  if (!name.startsWith(`${secretNames.providers}/`)) return undefined;
  const value = await providers.get(name.slice(secretNames.providers.length + 1));
  return value === undefined ? undefined : withValue(name, value);
}

/** The secret with the captcha keys, if operators have set any; undefined for any other secret. */
async function captchaSecret(
  file: string | undefined,
  { SecretId }: Input,
): Promise<StoredSecret | undefined> {
  if (file === undefined || !isNamed(secretNames.captcha, SecretId)) return undefined;
  const keys = await readCaptchaKeys(file);
  return keys && withValue(secretNames.captcha, JSON.stringify(keys));
}

function find(secrets: readonly StoredSecret[], { SecretId }: Input): StoredSecret {
  const found = secrets.find(({ name }) => isNamed(name, SecretId));
  if (found) return found;
  throw new SecretsError(
    'ResourceNotFoundException',
    "Secrets Manager can't find the specified secret.",
  );
}

const newSecret = (name: string): StoredSecret =>
  withValue(name, randomBytes(24).toString('base64'));

const withValue = (name: string, value: string): StoredSecret => ({
  name,
  rotated: false,
  versions: { [randomUUID()]: { value, stages: ['AWSCURRENT'] } },
});

async function answer(
  request: IncomingMessage,
  text: string,
  run: (operation: Operation, input: Input) => Promise<object>,
) {
  const target = String(request.headers['x-amz-target']).replace(/^secretsmanager\./, '');
  try {
    const input = JSON.parse(text) as Input;
    const operation = operations[target];
    if (!operation)
      throw new SecretsError('UnknownOperationException', `There is no ${target} here.`);
    return { status: 200, body: await run(operation, input) };
  } catch (error) {
    if (error instanceof SecretsError) return refusal(400, error.name, error.message);
    return refusal(500, 'InternalServiceError', String(error));
  }
}
