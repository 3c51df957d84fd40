import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Node } from 'constructs';
import type * as z from 'zod';
import { isPublishedXpub } from '../shared/identity/wallet/published-xpubs.ts';
import { withoutByteOrderMark } from '../shared/model/byte-order-mark.ts';
import { settings } from './settings.ts';

/** An invalid configuration. Its message lists every problem for the person who runs synth or deploy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

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
