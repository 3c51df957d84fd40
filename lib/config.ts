import type { Node } from 'constructs';
import * as z from 'zod';
import { assertDeployable } from '../shared/wallet.ts';
import { developmentXpub } from '../shared/wallet-development.ts';

/** A wrong context value: its message is one sentence for the person who runs synth. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const origin = z
  .string()
  .refine(
    (text) => text === '*' || (/^https?:\/\//.test(text) && URL.parse(text)?.origin === text),
    'must be "*" or origins such as https://app.example.com, without a path or a trailing slash',
  );

/** Retentions that CloudWatch Logs knows. */
const retentionDays = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 3653];

/** The configuration of a deployment, each key a context value: `cdk deploy -c stage=prod -c alarmEmail=...`. */
const config = z.strictObject({
  /** Names the stack, so that one account can hold several; `prod` refuses what only suits development. */
  stage: z
    .string()
    .regex(
      /^[a-z][a-z0-9-]{0,15}$/,
      'must be 1 to 16 lower-case letters, digits or hyphens and begin with a letter',
    )
    .default('dev'),
  /** BIP-32 extended public key under which every user's wallet address is derived. */
  walletXpub: z
    .string()
    .refine(isXpub, 'must be a BIP-32 extended public key (xpub...), never a private one')
    .default(developmentXpub),
  /** Value of `wallet.type`. */
  walletType: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,31}$/, 'must be 1 to 32 of a-z, 0-9, _ and -')
    .default('service'),
  /** Origins of web pages that may call the API; none by default. */
  corsOrigins: z
    .preprocess((value) => (typeof value === 'string' ? value.split(',') : value), z.array(origin))
    .default([]),
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
  /** Who is mailed when an alarm goes off. */
  alarmEmail: z.email('must be an e-mail address').optional(),
  /** Who sends the mails of a project that names no sender of its own; SES must know it as a verified identity. */
  mailSender: z.email('must be an e-mail address').optional(),
  /**
   * How many events may be on their way to webhooks at once, of the functions that the account may run at once. Without
   * it receivers that do not answer could leave none to the endpoints.
   */
  webhookConcurrency: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .optional(),
  logRetentionDays: z.coerce
    .number('must be a number of days')
    .refine((days) => retentionDays.includes(days), `must be one of ${retentionDays.join(', ')}`)
    .default(30),
});
export type Config = z.output<typeof config>;

/**
 * Reads the configuration from the CDK context. Every context key that is a plain camel-case word is taken for one
 * of ours (those of the CDK itself hold a colon, a slash or a hyphen), so that a misspelt key is not ignored.
 * Throws `ConfigError`, whose message names the first wrong key.
 */
export function readConfig(node: Node): Config {
  const context: Record<string, unknown> = node.getAllContext();
  const ours = Object.entries(context).filter(([key]) => /^[a-z][A-Za-z0-9]*$/.test(key));
  const { success, data, error } = config.safeParse(Object.fromEntries(ours));
  if (!success) throw new ConfigError(sentence(error.issues[0]));
  if ((data.domainName === undefined) !== (data.certificateArn === undefined))
    throw new ConfigError(
      'The context keys "domainName" and "certificateArn" must be given together.',
    );
  if (data.stage === 'prod' && data.walletXpub === developmentXpub)
    throw new ConfigError(
      'The context key "walletXpub" must be your own extended public key in the stage "prod": everyone can derive the private keys under the development one.',
    );
  return data;
}

/** Never repeats the value: it may be a secret by mistake. */
function sentence(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys')
    return `The context key "${issue.keys[0]}" is not known; known are ${Object.keys(config.shape).join(', ')}.`;
  return `The context key "${String(issue?.path[0])}" ${issue?.code === 'invalid_type' ? `must be a ${issue.expected}` : issue?.message}.`;
}

function isXpub(text: string): boolean {
  try {
    assertDeployable(text, 'http://localhost');
    return true;
  } catch {
    return false;
  }
}
