import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Node } from 'constructs';
import * as z from 'zod';
import { isPublishedXpub } from '../shared/identity/wallet/published-xpubs.ts';
import { assertDeployable } from '../shared/identity/wallet/wallet.ts';
import { withoutByteOrderMark } from '../shared/model/byte-order-mark.ts';
import { hostName } from '../shared/model/host-name.ts';
import { throttle } from '../shared/model/throttle.ts';

/** An invalid configuration. Its message lists every problem for the person who runs synth or deploy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const origin = z
  .string()
  .refine(
    (text) => text === '*' || (/^https?:\/\//.test(text) && URL.parse(text)?.origin === text),
    'must be "*" or an origin such as https://app.example.com, without a path or a trailing slash',
  );

/** Retention periods, in days, that CloudWatch Logs supports. */
const retentionDays = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 3653];

/** A stack has at most 500 resources: each domain takes two, and the endpoints of later versions need room too. */
export const maxPagesDomains = 40;

const host = z.string().regex(hostName, 'must be a host name such as id.example.com');
/** In the region of the stack. */
const certificate = z
  .string()
  .regex(
    /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[A-Za-z0-9-]+$/,
    'must be the ARN of an ACM certificate',
  );

/** The settings of a stage, as config/README.md describes them. */
export const settings = z.strictObject({
  /** Protects stack and table from deletion. It would also block the cleanup of a failed first deployment. */
  deletionProtection: z.boolean(
    'must be true or false: false until the first deployment has succeeded, then true',
  ),
  /**
   * The id of the table's construct. After a restore another one brings the restored table into the stack; any other
   * change of it would deploy an empty table.
   */
  tableId: z
    .string()
    .regex(/^Table\d{0,8}$/, 'must be "Table" and up to 8 digits, such as Table2')
    .default('Table'),
  /** BIP-32 extended public key from which wallet addresses of users are derived; without it they have none. */
  walletXpub: z
    .string()
    .refine(
      isXpub,
      'must be a BIP-32 extended public key (xpub...), never a private one: npm run wallet -- --xpub prints yours',
    )
    .optional(),
  /** Value of `wallet.type`. */
  walletType: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,31}$/, 'must be 1 to 32 of a-z, 0-9, _ and -')
    .default('service'),
  /** Origins whose web pages may call the API; default none. */
  corsOrigins: z.array(origin).default([]),
  /** The API's own host name; needs `certificateArn`. */
  domainName: host.optional(),
  /** ACM certificate of `domainName`. */
  certificateArn: certificate.optional(),
  /** Further host names of the API, for projects whose hosted pages have a domain of their own. */
  pagesDomains: z
    .array(z.strictObject({ domainName: host, certificateArn: certificate }))
    .max(maxPagesDomains, `must have at most ${maxPagesDomains} domains`)
    .default([]),
  /** The operator's CloudFront in front of the API. Without it the client is the peer of the connection. */
  trustedProxy: z
    .strictObject({
      /**
       * SHA-256 of the secrets that it may send; the secrets themselves are not stored anywhere here. Two during a
       * replacement.
       */
      secretDigests: z
        .array(z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in 64 lower-case hex digits'))
        .min(1, 'must have at least one digest')
        .max(2, 'must have at most two digests'),
      /** Whether requests that bypass it are rejected. */
      only: z.boolean('must be true or false').default(false),
    })
    .optional(),
  /** E-mail address that alarms notify. */
  alarmEmail: z.email('must be an e-mail address').optional(),
  /** Sender of mails for projects without a sender of their own; must be a verified identity in SES. */
  mailSender: z.email('must be an e-mail address').optional(),
  /**
   * Maximum number of concurrent webhook deliveries, reserved from the account's concurrency. Without a limit,
   * receivers that do not respond could take all of it from the endpoints.
   */
  webhookConcurrency: z.int('must be a whole number').min(1, 'must be at least 1').optional(),
  /** Requests per second to each route, and the burst, before API Gateway responds 429. */
  throttle: z
    .strictObject({
      rate: z.int('must be a whole number').min(1, 'must be at least 1'),
      burst: z.int('must be a whole number').min(1, 'must be at least 1'),
    })
    .default(throttle),
  /** Whether X-Ray traces the functions: one call per second of each, and 5 % of the others. */
  tracing: z.boolean('must be true or false').default(true),
  logRetentionDays: z
    .number('must be a number of days')
    .refine((days) => retentionDays.includes(days), `must be one of ${retentionDays.join(', ')}`)
    .default(30),
});

export type Config = z.output<typeof settings> & {
  /** Part of the stack's name, so that one account can have several. */
  stage: string;
};

/** The folder of the stages' files; CONFIG_DIR overrides it. */
const folderOf = () => process.env['CONFIG_DIR'] || join(import.meta.dirname, '../config');

/**
 * Reads the settings of the stage in the CDK context: `-c stage=prod` reads config/prod.json; the default is `dev`.
 * Throws a `ConfigError` whose message lists every wrong setting.
 */
export function readConfig(node: Node, folder?: string): Config {
  const context: Record<string, unknown> = node.getAllContext();
  const { stage = 'dev' } = context;
  // The CDK's own keys contain a colon, a slash or a hyphen. Any other key is meant for this service, even if misspelt.
  const others = Object.keys(context).filter(
    (key) => /^[a-z][A-Za-z0-9]*$/.test(key) && key !== 'stage',
  );
  if (others.length > 0)
    throw new ConfigError(others.map((key) => refuseKey(key, String(stage))).join('\n'));
  if (typeof stage !== 'string' || !isStage(stage))
    throw new ConfigError(
      'The stage must be 1 to 16 lower-case letters, digits or hyphens and begin with a letter.',
    );
  return readSettings(stage, folder);
}

/**
 * Endings that no stage may have. The function of `browserSessions.end` in the stage `dev` and that of `sessions.end`
 * in a stage `dev-browser` would have one name.
 */
export const reservedSuffixes = ['-browser', '-workspace'];

/** Reads config/<stage>.json. Throws a `ConfigError` whose message names every wrong setting. */
export function readSettings(stage: string, folder: string = folderOf()): Config {
  const path = join(folder, `${stage}.json`);
  const file = relative('.', path);
  if (stage === 'example')
    throw new ConfigError(`${file} is only an example: copy it to the name of your stage.`);
  const ending = reservedSuffixes.find((each) => stage.endsWith(each));
  if (ending)
    throw new ConfigError(
      `The stage "${stage}" must not end in ${ending}: its functions would have names of the stage "${stage.slice(0, -ending.length)}".`,
    );
  if (!existsSync(path))
    throw new ConfigError(
      `There is no ${file}: create it with the settings of the stage "${stage}"; config/README.md describes them.`,
    );
  const { data, error } = settings.safeParse(parse(readFileSync(path, 'utf8'), file));
  const wrong = data ? flawsOf(data) : error.issues.flatMap(sentences);
  if (data && wrong.length === 0) return { stage, ...data };
  throw new ConfigError([`${file} is wrong:`, ...wrong].join('\n  '));
}

/** Whether the name is valid for a stage. */
export const isStage = (name: string): boolean => /^[a-z][a-z0-9-]{0,15}$/.test(name);

/** Problems of well-formed settings: invalid combinations, and a publicly known key. */
function flawsOf(data: z.output<typeof settings>): string[] {
  const flaws = [];
  if ((data.domainName === undefined) !== (data.certificateArn === undefined))
    flaws.push('"domainName" and "certificateArn" must be given together.');
  const names = [data.domainName, ...data.pagesDomains.map(({ domainName }) => domainName)];
  if (new Set(names).size < names.length)
    flaws.push('"pagesDomains" must not have a name twice, nor "domainName".');
  if (data.trustedProxy && data.domainName === undefined)
    flaws.push(
      '"trustedProxy" requires "domainName": the domain that CloudFront serves is the issuer of the tokens.',
    );
  if (data.walletXpub !== undefined && isPublishedXpub(data.walletXpub))
    flaws.push(
      '"walletXpub" must be your own extended public key: anyone can derive the private keys of a published one, such as the development key and the test vectors of BIP-32.',
    );
  return flaws;
}

function refuseKey(key: string, stage: string): string {
  return key in settings.shape
    ? `"${key}" is a setting of the stage: put it into config/${stage}.json instead of -c ${key}=….`
    : `Unknown context key "${key}": -c accepts only stage; settings are in config/${stage}.json.`;
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(withoutByteOrderMark(text));
  } catch {
    // The parser's message would repeat part of the file.
    throw new ConfigError(`${file} is not valid JSON.`);
  }
}

/** Never repeats the value, which may be a secret by mistake. */
function sentences(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(
      (key) => `"${key}" is unknown; valid settings are ${Object.keys(settings.shape).join(', ')}.`,
    );
  const [name, ...within] = issue.path.map(String);
  if (name === undefined) return ['The file must be a JSON object of settings.'];
  const subject = [`"${name}"`, ...within].join('.');
  // Our own messages start in lower case, zod's in upper case.
  const own = /^[a-z]/.test(issue.message);
  const article = issue.code === 'invalid_type' && /^[aeiou]/.test(issue.expected) ? 'an' : 'a';
  return [
    issue.code === 'invalid_type' && !own
      ? `${subject} must be ${article} ${issue.expected}.`
      : `${subject} ${issue.message}.`,
  ];
}

function isXpub(text: string): boolean {
  try {
    assertDeployable(text, 'http://localhost');
    return true;
  } catch {
    return false;
  }
}
