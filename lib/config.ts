import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Node } from 'constructs';
import * as z from 'zod';
import { developmentXpub } from '../shared/identity/development-wallet.ts';
import { assertDeployable } from '../shared/identity/wallet.ts';
import { throttle } from '../shared/model/limits.ts';

/** A wrong configuration: its message says all that is wrong, for the person who runs synth or deploy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const origin = z
  .string()
  .refine(
    (text) => text === '*' || (/^https?:\/\//.test(text) && URL.parse(text)?.origin === text),
    'must be "*" or an origin such as https://app.example.com, without a path or a trailing slash',
  );

/** Retentions that CloudWatch Logs knows. */
const retentionDays = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 3653];

/** The settings of a stage, as config/README.md describes them. */
export const settings = z.strictObject({
  /** Whether neither stack nor table can be deleted. It would also keep a creation that failed from being cleaned up. */
  deletionProtection: z.boolean(
    'must be true or false: false until the first deployment has succeeded, then true',
  ),
  /** BIP-32 extended public key under which the wallet addresses of users are derived; without it they have none. */
  walletXpub: z
    .string()
    .refine(isXpub, 'must be a BIP-32 extended public key (xpub...), never a private one')
    .optional(),
  /** Value of `wallet.type`. */
  walletType: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,31}$/, 'must be 1 to 32 of a-z, 0-9, _ and -')
    .default('service'),
  /** Origins of web pages that may call the API; none by default. */
  corsOrigins: z.array(origin).default([]),
  /** The API's own host name; needs `certificateArn`. */
  domainName: z
    .string()
    .regex(
      /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
      'must be a host name such as id.example.com',
    )
    .optional(),
  /** ACM certificate of `domainName`, in the region of the stack. */
  certificateArn: z
    .string()
    .regex(
      /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[A-Za-z0-9-]+$/,
      'must be the ARN of an ACM certificate',
    )
    .optional(),
  /** The operator's CloudFront before the API; without it every request comes from where its connection does. */
  trustedProxy: z
    .strictObject({
      /** SHA-256 of the secrets that it may send; the secrets themselves are nowhere here. Two while one replaces the other. */
      secretDigests: z
        .array(z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in 64 lower-case hex digits'))
        .min(1, 'must have at least one digest')
        .max(2, 'must have at most two digests'),
      /** Whether requests that go around it are refused. */
      only: z.boolean('must be true or false').default(false),
    })
    .optional(),
  /** The address that is mailed when an alarm goes off. */
  alarmEmail: z.email('must be an e-mail address').optional(),
  /** The sender of the mails of a project that names none of its own; SES must know it as a verified identity. */
  mailSender: z.email('must be an e-mail address').optional(),
  /**
   * How many events may be on their way to webhooks at once, of the functions that the account may run at once. Without
   * it receivers that do not answer could leave none to the endpoints.
   */
  webhookConcurrency: z.int('must be a whole number').min(1, 'must be at least 1').optional(),
  /** Requests a second to each route, and how many may come at once, before API Gateway answers 429. */
  throttle: z
    .strictObject({
      rate: z.int('must be a whole number').min(1, 'must be at least 1'),
      burst: z.int('must be a whole number').min(1, 'must be at least 1'),
    })
    .default(throttle),
  /** Whether X-Ray traces the functions: one call a second of each, and 5 % of the others. */
  tracing: z.boolean('must be true or false').default(true),
  logRetentionDays: z
    .number('must be a number of days')
    .refine((days) => retentionDays.includes(days), `must be one of ${retentionDays.join(', ')}`)
    .default(30),
});

export type Config = z.output<typeof settings> & {
  /** Names the stack, so that one account can hold several. */
  stage: string;
};

/** Every stage has its file here; CONFIG_DIR names another folder. */
const folderOf = () => process.env['CONFIG_DIR'] || join(import.meta.dirname, '../config');

/**
 * Reads the settings of the stage that the CDK context names: `-c stage=prod` reads config/prod.json. Without a stage it
 * is `dev`. Throws a `ConfigError` whose message names every wrong setting.
 */
export function readConfig(node: Node, folder?: string): Config {
  const context: Record<string, unknown> = node.getAllContext();
  const { stage = 'dev' } = context;
  // The CDK's own keys hold a colon, a slash or a hyphen. So a key of ours is seen, also a misspelt one.
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

/** Reads config/<stage>.json. Throws a `ConfigError` whose message names every wrong setting. */
export function readSettings(stage: string, folder: string = folderOf()): Config {
  const path = join(folder, `${stage}.json`);
  const file = relative('.', path);
  if (stage === 'example')
    throw new ConfigError(`${file} is only an example: copy it, and name the copy as the stage.`);
  if (!existsSync(path))
    throw new ConfigError(
      `There is no ${file}: write the settings of the stage "${stage}" into it; config/README.md says how.`,
    );
  const { data, error } = settings.safeParse(parse(readFileSync(path, 'utf8'), file));
  const wrong = data ? flawsOf(data) : error.issues.flatMap(sentences);
  if (data && wrong.length === 0) return { stage, ...data };
  throw new ConfigError([`${file} is wrong:`, ...wrong].join('\n  '));
}

/** Whether a stage may be called so. */
export const isStage = (name: string): boolean => /^[a-z][a-z0-9-]{0,15}$/.test(name);

/** What is wrong with settings that are right each by itself. */
function flawsOf(data: z.output<typeof settings>): string[] {
  const flaws = [];
  if ((data.domainName === undefined) !== (data.certificateArn === undefined))
    flaws.push('"domainName" and "certificateArn" must be given together.');
  if (data.trustedProxy && data.domainName === undefined)
    flaws.push(
      '"trustedProxy" needs "domainName": the name that CloudFront answers is the issuer of the tokens.',
    );
  if (data.walletXpub === developmentXpub)
    flaws.push(
      '"walletXpub" must be your own extended public key: everyone can derive the private keys under the development one.',
    );
  return flaws;
}

function refuseKey(key: string, stage: string): string {
  return key in settings.shape
    ? `"${key}" is a setting of the stage: put it into config/${stage}.json instead of -c ${key}=….`
    : `The context key "${key}" is not known: -c takes only stage, and settings are in config/${stage}.json.`;
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Its message would repeat a part of the file.
    throw new ConfigError(`${file} is not JSON.`);
  }
}

/** Never repeats the value: it may be a secret by mistake. */
function sentences(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(
      (key) => `"${key}" is not known; known are ${Object.keys(settings.shape).join(', ')}.`,
    );
  const [name, ...within] = issue.path.map(String);
  if (name === undefined) return ['It must be an object of settings.'];
  const subject = [`"${name}"`, ...within].join('.');
  // Words of our own come in lower case, those of zod in upper case.
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
