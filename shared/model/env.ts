/**
 * The configuration that the stack (or the local server) gives to a function, read when it is first needed,
 * so that a function names in the stack only what it uses.
 */
export const env = {
  /** The one table. */
  tableName: () => required('TABLE_NAME'),
  /** The address that clients call, without a trailing slash; the issuer of the tokens. */
  baseUrl: () => required('BASE_URL'),
  /** BIP-32 extended public key under which the wallet addresses of users are derived; empty: they have none. */
  walletXpub: () => process.env['WALLET_XPUB'] ?? '',
  /** Value of `wallet.type`. */
  walletType: () => process.env['WALLET_TYPE'] ?? 'service',
  /** ARN or name of the secret with the signing keys. */
  signingSecretId: () => required('SIGNING_SECRET_ID'),
  /** ARN or name of the secret from which the tokens and codes in mails are derived. */
  mailSecretId: () => required('MAIL_SECRET_ID'),
  /** ARN or name of the secret from which the secrets of webhooks are derived. */
  webhookSecretId: () => required('WEBHOOK_SECRET_ID'),
  /** Who sends the mails of a project that names no sender of its own; empty: nobody, and they are not sent. */
  mailSender: () => process.env['MAIL_SENDER'] ?? '',
  /** The configuration set of SES by which what comes back of a mail is told; empty: it is not told. */
  mailConfigurationSet: () => process.env['MAIL_CONFIGURATION_SET'] ?? '',
  /** Addresses of name servers, comma-separated; the stack sets none, and the system's are asked. */
  dnsServers: () => (process.env['DNS_SERVERS'] ?? '').split(',').filter((server) => server !== ''),
  /** The bus that events are published on. */
  eventBus: () => required('EVENT_BUS'),
  /** Where one-time schedules are made, as whom they act, and where one that fails for good is told. */
  scheduleGroup: () => required('SCHEDULE_GROUP'),
  scheduleRoleArn: () => required('SCHEDULE_ROLE_ARN'),
  deadLettersArn: () => required('DEAD_LETTERS_ARN'),
  /** The queues between the stream and the functions that follow it. */
  changesQueueUrl: () => required('CHANGES_QUEUE_URL'),
  mailsQueueUrl: () => required('MAILS_QUEUE_URL'),
  /** The function that sends to webhooks, for whoever schedules it without being it. */
  webhookSenderArn: () => required('WEBHOOK_SENDER_ARN'),
  /** How requests of the operator's proxy are known; without digests there is none. */
  trustedProxy: () => ({
    digests: (process.env['TRUSTED_PROXY_SHA256'] ?? '').split(',').filter((each) => each !== ''),
    only: process.env['TRUSTED_PROXY_ONLY'] === 'true',
  }),
  /** `silent` writes no log lines. */
  logLevel: () => process.env['LOG_LEVEL'] ?? 'info',
} as const;

/** The names above as environment variables: what the stack may set. */
export const environmentNames = [
  'TABLE_NAME',
  'BASE_URL',
  'WALLET_XPUB',
  'WALLET_TYPE',
  'SIGNING_SECRET_ID',
  'MAIL_SECRET_ID',
  'WEBHOOK_SECRET_ID',
  'MAIL_SENDER',
  'MAIL_CONFIGURATION_SET',
  'EVENT_BUS',
  'SCHEDULE_GROUP',
  'SCHEDULE_ROLE_ARN',
  'DEAD_LETTERS_ARN',
  'CHANGES_QUEUE_URL',
  'MAILS_QUEUE_URL',
  'WEBHOOK_SENDER_ARN',
  'TRUSTED_PROXY_SHA256',
  'TRUSTED_PROXY_ONLY',
  'LOG_LEVEL',
] as const;
export type EnvironmentName = (typeof environmentNames)[number];

function required(name: EnvironmentName): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
