import { type SecretName, secretVariables } from '../lib/grant.ts';
import type { QueueName } from '../shared/events/queue-sort.ts';
import { developmentXpub } from '../shared/identity/wallet/development-wallet.ts';
import { functionArn } from './aws/lambda.ts';

export const tableName = 'identity-workspace';
/** The names of the local secrets; `providers` is a prefix of the names of client secrets at identity providers. */
export const secretNames = {
  signing: 'signing-keys',
  mail: 'mail-key',
  webhook: 'webhook-key',
  factor: 'factor-key',
  captcha: 'captcha-keys',
  providers: 'sign-in-providers',
  providerToken: 'provider-token-keys',
} as const satisfies Record<SecretName, string>;
const { signing: _rotated, providers: _setByOperators, ...plain } = secretNames;
/** The secrets with their own text and without rotation. */
export const plainSecretNames = Object.values(plain);
/** The variables by which functions find the secrets. */
const secretEnvironment = Object.fromEntries(
  Object.entries(secretVariables).map(([name, variable]) => [
    variable,
    secretNames[name as SecretName],
  ]),
);
export const busName = 'events';
export const configurationSet = 'mails';
export const scheduleGroup = 'schedules';
export const deadLettersArn = 'arn:aws:sqs:local:000000000000:dead-letters';
export const scheduleRoleArn = 'arn:aws:iam::000000000000:role/schedules';
/** RFC 2606 reserves this name for examples. */
const mailSender = 'no-reply@example.com';

/**
 * Sets the environment variables that the stack gives to its functions, before any function is loaded. Real credentials
 * from the shell are replaced, so that no call can reach an AWS account.
 */
export function setEnvironment(addresses: {
  dynamodb: string;
  secrets?: string;
  mail?: string;
  events?: string;
  schedules?: string;
  queues?: { endpoint: string; urlOf(queue: QueueName): string };
  baseUrl?: string;
}): void {
  delete process.env['AWS_PROFILE'];
  delete process.env['AWS_SESSION_TOKEN'];
  Object.assign(process.env, {
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: addresses.dynamodb,
    TABLE_NAME: tableName,
    ...secretEnvironment,
    MAIL_SENDER: mailSender,
    MAIL_CONFIGURATION_SET: configurationSet,
    EVENT_BUS: busName,
    SCHEDULE_GROUP: scheduleGroup,
    SCHEDULE_ROLE_ARN: scheduleRoleArn,
    DEAD_LETTERS_ARN: deadLettersArn,
    WEBHOOK_SENDER_ARN: functionArn('webhooks.deliver'),
    // An extended public key; empty: users have no wallets.
    WALLET_XPUB: process.env['WALLET_XPUB'] ?? developmentXpub,
    ...(addresses.secrets && { AWS_ENDPOINT_URL_SECRETS_MANAGER: addresses.secrets }),
    ...(addresses.events && { AWS_ENDPOINT_URL_EVENTBRIDGE: addresses.events }),
    ...(addresses.schedules && { AWS_ENDPOINT_URL_SCHEDULER: addresses.schedules }),
    ...(addresses.queues && {
      AWS_ENDPOINT_URL_SQS: addresses.queues.endpoint,
      CHANGES_QUEUE_URL: addresses.queues.urlOf('changes'),
      MAILS_QUEUE_URL: addresses.queues.urlOf('mails'),
    }),
    ...(addresses.mail && { AWS_ENDPOINT_URL_SESV2: addresses.mail }),
    ...(addresses.baseUrl && { BASE_URL: addresses.baseUrl }),
  });
}

/** The folder of the data if no flag names one. */
export const defaultFolder = '.data';
