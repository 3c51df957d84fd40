import type * as z from 'zod';
import { limits } from '../shared/model/limits.ts';
import {
  maxMinimumLength,
  type OperatorRequest,
  operatorRequest,
} from '../shared/operator/request.ts';
import { CommandFailure, parseFlags } from './flags.ts';

export const usage = `Usage, against a deployed stack or, with --local, the local data:
  npm run project:create -- --name NAME [--project ID] [SETTINGS]
  npm run project:list --
  npm run project:update -- --project ID [--name NAME] [SETTINGS]
  npm run project:rotate-key -- --project ID [--keep N]
  npm run project:create-secret -- --project ID
  npm run project:list-secrets -- --project ID
  npm run project:revoke-secret -- --project ID --secret-id ID
each with: --stack NAME (credentials and region as the AWS CLI takes them) | --local [--data FOLDER]

SETTINGS (default: off or unset unless noted):
  --invitation-base-url URL             base URL of the invitation links of its workspaces
  --create-users-on-get true|false      GET /users/{uid} creates a missing user (default: true)
  --password-sign-in true|false         users sign in with a password
  --code-sign-in true|false             users sign in with a code sent by e-mail
  --sign-up true|false                  users may sign up by themselves
  --new-device-mail true|false          users get a mail about a sign-in from a new device (default: true)
  --token-algorithm RS256|ES256         signs access tokens; AWS's own authorizers verify RS256 alone, as do releases before 0.8.0 (default: RS256)
  --min-password-length N               ${limits.password.least} to ${maxMinimumLength} (default: ${limits.password.min})
  --identity-providers JSON             such as {"google":{"client_ids":["ID"]}}; others also need issuer and jwks_uri
  --mail-sender EMAIL                   sender address of its mails
  --mail-sender-name NAME               product name in its mails (default: the project's name)
  --mail-links JSON                     such as {"reset_password":"https://app.example.com/reset"}; also sign_up,
                                        verify_email, change_email
To unset one of the last five, update it with an empty value ('').`;

export type ProjectCommand = {
  request: OperatorRequest;
  /** The stack of that name, or the local data in a folder. */
  target: { stack: string } | { folder: string; mustExist: boolean };
};

/** The actions of `npm run project:*`. */
export const actions: readonly string[] = operatorRequest.options.map(
  ({ shape }) => shape.action.value,
);

const asIs = (value: string): unknown => value;
const asBoolean = (value: string) => (value === 'true' ? true : value === 'false' ? false : value);
const asNumber = (value: string) => (/^\d+$/.test(value) ? Number(value) : value);
function asJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

type Field = {
  flag: string;
  read: (value: string) => unknown;
  /** Error text for an invalid value, where the schema's own message would be unclear in a terminal. */
  wanted?: string;
  /** An update with an empty value unsets it. */
  clears?: true;
};

const trueOrFalse = { read: asBoolean, wanted: 'must be true or false' };

/** The request field that each flag sets. */
const fields: Record<string, Field> = {
  project_id: { flag: 'project', read: asIs },
  secret_id: { flag: 'secret-id', read: asIs },
  keep: {
    flag: 'keep',
    read: asNumber,
    wanted: `must be a whole number from 0 to ${limits.liveSecretsPerProject - 1}`,
  },
  name: { flag: 'name', read: asIs },
  invitation_base_url: { flag: 'invitation-base-url', read: asIs },
  create_users_on_get: { flag: 'create-users-on-get', ...trueOrFalse },
  password_sign_in: { flag: 'password-sign-in', ...trueOrFalse },
  code_sign_in: { flag: 'code-sign-in', ...trueOrFalse },
  sign_up: { flag: 'sign-up', ...trueOrFalse },
  new_device_mail: { flag: 'new-device-mail', ...trueOrFalse },
  token_algorithm: { flag: 'token-algorithm', read: asIs },
  min_password_length: {
    flag: 'min-password-length',
    read: asNumber,
    wanted: `must be a whole number from ${limits.password.least} to ${maxMinimumLength}`,
    clears: true,
  },
  identity_providers: {
    flag: 'identity-providers',
    read: asJson,
    wanted: 'must be JSON such as {"google":{"client_ids":["ID"]}}',
    clears: true,
  },
  mail_sender: { flag: 'mail-sender', read: asIs, clears: true },
  mail_sender_name: { flag: 'mail-sender-name', read: asIs, clears: true },
  mail_links: {
    flag: 'mail-links',
    read: asJson,
    wanted: 'must be JSON such as {"reset_password":"https://app.example.com/reset"}',
    clears: true,
  },
};

/** Reads the command line; undefined means `--help`. Rejects with a `CommandFailure` that lists every problem. */
export async function readCommand(args: string[]): Promise<ProjectCommand | undefined> {
  const text = { type: 'string' } as const;
  const { positionals, values } = parseFlags({
    args,
    allowPositionals: true,
    options: {
      ...Object.fromEntries(Object.values(fields).map(({ flag }) => [flag, text])),
      stack: text,
      data: text,
      local: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { help, local, stack, data, ...given } = values as Record<string, string> & {
    help?: boolean;
    local?: boolean;
  };
  if (help) return undefined;
  const [action, unexpected] = positionals;
  if (unexpected !== undefined) throw new CommandFailure(`Unexpected argument '${unexpected}'.`);
  const request = await readRequest(action, given);
  return { request, target: readTarget({ local, stack, data }) };
}

/** Never both targets: a request meant for the local data must not reach a stack. */
function readTarget({
  local,
  stack,
  data,
}: {
  local?: boolean | undefined;
  stack?: string | undefined;
  data?: string | undefined;
}): ProjectCommand['target'] {
  if (local && stack !== undefined) {
    throw new CommandFailure(
      'Pass either --local (local data) or --stack (a deployed stack), not both.',
    );
  }
  if (local) return { folder: data ?? '.data', mustExist: data !== undefined };
  if (data !== undefined) throw new CommandFailure('Pass --data only together with --local.');
  if (!stack) throw new CommandFailure('Pass --stack NAME or --local.');
  return { stack };
}

async function readRequest(
  action: string | undefined,
  given: Record<string, string>,
): Promise<OperatorRequest> {
  const read = Object.entries(fields).flatMap(([name, field]) => {
    const value = given[field.flag];
    if (value === undefined) return [];
    const unset = action === 'update' && field.clears && value === '';
    return [[name, unset ? null : field.read(value)]];
  });
  const { data, error } = await operatorRequest.safeParseAsync(
    { action, ...Object.fromEntries(read) },
    { reportInput: true },
  );
  if (error) throw new CommandFailure(error.issues.flatMap(sentencesOf(action)).join('\n'));
  if (data.action === 'update' && Object.keys(data).length === 2) {
    throw new CommandFailure('Nothing to update: pass --name or a setting.');
  }
  return data;
}

const sentencesOf = (action: string | undefined) => (issue: z.core.$ZodIssue) => {
  const [name, ...within] = issue.path.map(String);
  if (name === 'action') return `Pass an action: ${inAList(actions)}.`;
  if (name === undefined) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
    return keys.map((key) => `${flagOf(key)} is not allowed with ${String(action)}.`);
  }
  const subject = within.length > 0 ? `${flagOf(name)}: ${within.join('.')}` : flagOf(name);
  const { wanted } = fields[name] ?? {};
  if (issue.input === undefined) return `${subject} is required.`;
  const another = within.length === 0 && /^(?:invalid_type|too_small|too_big)$/.test(issue.code);
  return `${subject} ${(another && wanted) || inWords(issue)}.`;
};

function inWords(issue: z.core.$ZodIssue): string {
  const { code } = issue;
  if (code === 'too_small') return 'must not be empty';
  if (code === 'too_big') {
    return `must have at most ${issue.maximum} ${issue.origin === 'string' ? 'characters' : 'elements'}`;
  }
  if (code === 'unrecognized_keys') return `must not contain ${issue.keys.join(', ')}`;
  if (code === 'invalid_type') {
    return `must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
  }
  return issue.message.replace(/^Must/, 'must');
}

const inAList = (words: readonly string[]) =>
  `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;

const flagOf = (name: string) => (fields[name] ? `--${fields[name].flag}` : name);
