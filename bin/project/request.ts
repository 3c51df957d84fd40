import type * as z from 'zod';
import { issueMessage } from '../../shared/http/issue-message.ts';
import {
  hashActions,
  type OperatorRequest,
  operatorRequest,
} from '../../shared/operator/request.ts';
import { CommandFailure, parseFlags } from '../flags.ts';
import { inWords } from '../issue-words.ts';
import { type OperatorTarget, requireOperatorTarget } from '../operate-at.ts';
import { fields } from './fields.ts';
import { withLogo } from './logo.ts';

export type ProjectCommand = {
  request: OperatorRequest;
  target: OperatorTarget;
};

/** The actions of `npm run project:*`. */
export const actions: readonly string[] = operatorRequest.options
  .map(({ shape }) => shape.action.value)
  .filter((action) => !hashActions.some((each) => each === action));

/** Reads the command line; undefined means `--help`. Rejects with a `CommandFailure` that lists every problem. */
export async function readCommand(args: string[]): Promise<ProjectCommand | undefined> {
  const text = { type: 'string' } as const;
  const { positionals, values } = parseFlags({
    args,
    allowPositionals: true,
    options: {
      ...Object.fromEntries(Object.values(fields).map(({ flag }) => [flag, text])),
      logo: text,
      stack: text,
      data: text,
      local: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { help, local, stack, data, ...flags } = values as Record<string, string> & {
    help?: boolean;
    local?: boolean;
  };
  if (help) return undefined;
  const [action, unexpected] = positionals;
  if (unexpected !== undefined) throw new CommandFailure(`Unexpected argument '${unexpected}'.`);
  const request = await readRequest(action, flags);
  return { request, target: requireOperatorTarget({ local, stack, data }) };
}

async function readRequest(
  action: string | undefined,
  flags: Record<string, string>,
): Promise<OperatorRequest> {
  const read = Object.entries(fields).flatMap(([name, field]) => {
    const value = flags[field.flag];
    if (value === undefined) return [];
    const unset = action?.startsWith('update') && field.clears && value === '';
    return [[name, unset ? null : field.read(value)]];
  });
  const request = { action, ...Object.fromEntries(read) } as Record<string, unknown>;
  const { logo } = flags;
  if (logo !== undefined) request['branding'] = await withLogo(logo, request['branding'], action);
  const how = { reportInput: true, error: issueMessage };
  const { data, error } = await operatorRequest.safeParseAsync(request, how);
  if (error) {
    // A text in place of a list has two issues, its type and its length.
    const sentences = new Set(error.issues.flatMap(sentencesOf(action)));
    throw new CommandFailure([...sentences].join('\n'));
  }
  const choices = changed[data.action];
  if (choices !== undefined && Object.keys(data).every((name) => named.has(name))) {
    throw new CommandFailure(`Nothing to update: pass ${choices}.`);
  }
  return data;
}

/** The flags that identify the object to update, and the fields that each update may change. */
const named: ReadonlySet<string> = new Set(['action', 'project_id', 'client', 'secret_id']);
const changed: Partial<Record<OperatorRequest['action'], string>> = {
  update: '--name or a setting',
  'update-secret': '--name, --scopes or --source-cidrs',
  'update-client': '--client-name, --redirect-uris or --post-logout-redirect-uris',
};

const sentencesOf = (action: string | undefined) => (issue: z.core.$ZodIssue) => {
  const [name, ...within] = issue.path.map(String);
  if (name === 'action') return `Pass an action: ${inAList(actions)}.`;
  if (name === undefined) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
    return keys.map((key) => `${flagOf(key)} is not allowed with ${String(action)}.`);
  }
  const subject = within.length > 0 ? `${flagOf(name)}: ${within.join('.')}` : flagOf(name);
  return `${subject} ${inWords(issue)}.`;
};

const inAList = (words: readonly string[]) =>
  `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;

const flagOf = (name: string) => (fields[name] ? `--${fields[name].flag}` : name);
