/**
 * Configuration set by the stack or the local server. Read lazily, so each function declares only the variables it
 * uses.
 */
export const env = {
  /** Name of the table. */
  tableName: () => required('TABLE_NAME'),
  /** `sdk` has the table and the secrets reached by the SDK's own transport. */
  tableTransport: () => process.env['DYNAMODB_TRANSPORT'],
  /** The public base URL, without a trailing slash; also the issuer of the tokens. */
  baseUrl: () => required('BASE_URL'),
  /** BIP-32 extended public key from which wallet addresses of users are derived; empty: no wallets. */
  walletXpub: () => process.env['WALLET_XPUB'] ?? '',
  /** Value of `wallet.type`. */
  walletType: () => process.env['WALLET_TYPE'] ?? 'service',
  /** ARN or name of the secret with the signing keys. */
  signingSecretId: () => required('SIGNING_SECRET_ID'),
  /** ARN or name of the secret from which tokens and codes in mails are derived. */
  mailSecretId: () => required('MAIL_SECRET_ID'),
  /** ARN or name of the secret from which the secrets of webhooks are derived. */
  webhookSecretId: () => required('WEBHOOK_SECRET_ID'),
  /** ARN or name of the secret from which the secrets of second factors are derived. */
  factorSecretId: () => required('FACTOR_SECRET_ID'),
  /** ARN or name of the secret with the keys by which projects have captchas verified. */
  captchaSecretId: () => required('CAPTCHA_SECRET_ID'),
  /** What the names of the secrets begin with that projects have at identity providers. */
  providerSecretsPrefix: () => required('PROVIDER_SECRETS_PREFIX'),
  /** ARN or name of the secret with the keys that encrypt the tokens of providers. */
  providerTokenSecretId: () => required('PROVIDER_TOKEN_SECRET_ID'),
  /** Sender of mails for projects without a sender of their own; empty: no sender, and mails are not sent. */
  mailSender: () => process.env['MAIL_SENDER'] ?? '',
  /** SES configuration set that reports bounces and complaints; empty: they are not reported. */
  mailConfigurationSet: () => process.env['MAIL_CONFIGURATION_SET'] ?? '',
  /** Addresses of name servers, comma-separated. The stack sets none, so the system's are used. */
  dnsServers: () => (process.env['DNS_SERVERS'] ?? '').split(',').filter((server) => server !== ''),
  /** Name of the bus on which events are published. */
  eventBus: () => required('EVENT_BUS'),
  /** Group and role of one-time schedules, and the queue for schedules that fail for good. */
  scheduleGroup: () => required('SCHEDULE_GROUP'),
  scheduleRoleArn: () => required('SCHEDULE_ROLE_ARN'),
  deadLettersArn: () => required('DEAD_LETTERS_ARN'),
  /** The queues between the stream and the functions that process its changes. */
  changesQueueUrl: () => required('CHANGES_QUEUE_URL'),
  mailsQueueUrl: () => required('MAILS_QUEUE_URL'),
  /** ARN of the function that delivers to webhooks, for other functions that schedule it. */
  webhookSenderArn: () => required('WEBHOOK_SENDER_ARN'),
  /** How to recognise requests of the operator's proxy; without digests there is no proxy. */
  trustedProxy: () => ({
    digests: (process.env['TRUSTED_PROXY_SHA256'] ?? '').split(',').filter((each) => each !== ''),
    only: process.env['TRUSTED_PROXY_ONLY'] === 'true',
  }),
  /** What Lambda and the SDK define: region, credentials, endpoints, trace. */
  ofRuntime: () => process.env,
  /** `silent` writes no log lines. */
  logLevel: () => process.env['LOG_LEVEL'] ?? 'info',
} as const;

/**
 * Whether a host, as `URL` spells it, is this machine: its name, or a loopback address (RFC 1122, RFC 4291). What
 * functions load on demand must not import it: esbuild would make this file one more of each cold start.
 */
export const isThisMachine = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** The environment variables of the getters above, which the stack may set. */
export type EnvironmentName =
  | 'TABLE_NAME'
  | 'BASE_URL'
  | 'WALLET_XPUB'
  | 'WALLET_TYPE'
  | 'SIGNING_SECRET_ID'
  | 'MAIL_SECRET_ID'
  | 'WEBHOOK_SECRET_ID'
  | 'FACTOR_SECRET_ID'
  | 'CAPTCHA_SECRET_ID'
  | 'PROVIDER_SECRETS_PREFIX'
  | 'PROVIDER_TOKEN_SECRET_ID'
  | 'MAIL_SENDER'
  | 'MAIL_CONFIGURATION_SET'
  | 'EVENT_BUS'
  | 'SCHEDULE_GROUP'
  | 'SCHEDULE_ROLE_ARN'
  | 'DEAD_LETTERS_ARN'
  | 'CHANGES_QUEUE_URL'
  | 'MAILS_QUEUE_URL'
  | 'WEBHOOK_SENDER_ARN'
  | 'TRUSTED_PROXY_SHA256'
  | 'TRUSTED_PROXY_ONLY'
  | 'LOG_LEVEL';

function required(name: EnvironmentName): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
