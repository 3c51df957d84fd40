import type * as z from 'zod';
import { limits } from '../shared/limits.ts';
import { type OperatorRequest, operatorRequest } from '../shared/operator/projects.ts';
import { CommandFailure, parseFlags } from './flags.ts';

export const usage = `Usage, against a deployed stack or, with --local, the local data:
  npm run project:create -- --name NAME [--project ID] [--invitation-base-url URL] [--create-users-on-get true|false]
  npm run project:list --
  npm run project:rotate-key -- --project ID [--keep N]
  npm run project:update -- --project ID [--name NAME] [--invitation-base-url URL] [--create-users-on-get true|false]
each with: --stack NAME (credentials and region as the AWS CLI takes them) | --local [--data FOLDER]`;

export type ProjectCommand = {
  request: OperatorRequest;
  /** Where: the stack of that name, or the data in a folder. */
  target: { stack: string } | { folder: string; mustExist: boolean };
};

/** Which flag gives which field of the request. */
const flags = {
  project_id: '--project',
  name: '--name',
  invitation_base_url: '--invitation-base-url',
  create_users_on_get: '--create-users-on-get',
  keep: '--keep',
};

/** What a field must be, where the schema's own words would not tell a person. */
const wanted: Record<string, string> = {
  create_users_on_get: 'must be true or false',
  keep: `must be a whole number from 0 to ${limits.liveSecretsPerProject - 1}`,
};

/** Reads the command line; undefined asks for help. Throws a `CommandFailure` that says all that is wrong with it. */
export function readCommand(args: string[]): ProjectCommand | undefined {
  const { positionals, values } = parseFlags({
    args,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      project: { type: 'string' },
      'invitation-base-url': { type: 'string' },
      'create-users-on-get': { type: 'string' },
      keep: { type: 'string' },
      stack: { type: 'string' },
      local: { type: 'boolean' },
      data: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  } as const);
  if (values.help) return undefined;
  const [action, unexpected] = positionals;
  if (unexpected !== undefined) throw new CommandFailure(`Unexpected argument '${unexpected}'.`);
  const { keep, 'create-users-on-get': onGet } = values;
  const request = readRequest({
    action,
    project_id: values.project,
    name: values.name,
    invitation_base_url: values['invitation-base-url'],
    create_users_on_get: onGet === 'true' ? true : onGet === 'false' ? false : onGet,
    keep: keep !== undefined && /^\d+$/.test(keep) ? Number(keep) : keep,
  });
  return { request, target: readTarget(values) };
}

/** Never both: what was meant for the local data must not reach a stack. */
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
    throw new CommandFailure('--local is the data here and --stack a deployed one: choose one.');
  }
  if (local) return { folder: data ?? '.data', mustExist: data !== undefined };
  if (data !== undefined) throw new CommandFailure('--data goes with --local only.');
  if (!stack) throw new CommandFailure('Name the stack with --stack, or use --local.');
  return { stack };
}

function readRequest(all: Record<string, unknown>): OperatorRequest {
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const { data, error } = operatorRequest.safeParse(given);
  if (error) throw new CommandFailure(error.issues.flatMap(sentencesOf(given)).join('\n'));
  if (data.action === 'update' && Object.keys(data).length === 2) {
    const { name, invitation_base_url, create_users_on_get } = flags;
    throw new CommandFailure(
      `There is nothing to update: give ${name}, ${invitation_base_url} or ${create_users_on_get}.`,
    );
  }
  return data;
}

const sentencesOf = (given: Record<string, unknown>) => (issue: z.core.$ZodIssue) => {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${flagOf(key)} does not go with ${String(given['action'])}.`);
  }
  const field = String(issue.path[0]);
  if (field === 'action') return 'Say what to do: create, list, rotate-key or update.';
  if (given[field] === undefined) return `${flagOf(field)} is required.`;
  return `${flagOf(field)} ${wanted[field] ?? inWords(issue)}.`;
};

function inWords(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small') return 'must not be empty';
  if (issue.code === 'too_big') return `must have at most ${issue.maximum} characters`;
  return issue.message.replace(/^Must/, 'must');
}

const flagOf = (field: string) => flags[field as keyof typeof flags] ?? field;
