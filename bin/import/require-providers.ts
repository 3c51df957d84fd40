import { randomUUID } from 'node:crypto';
import { CommandFailure } from '../flags.ts';
import type { ProjectApi } from '../transfer/project-api.ts';
import { sendUsers } from './send-users.ts';

/** The names in `--providers`, in lower case as in projects. */
export const providersIn = (text = ''): Set<string> =>
  new Set(text.split(',').flatMap((each) => each.trim().toLowerCase() || []));

/**
 * Throws a `CommandFailure` that names each provider whose accounts the project does not accept: users would
 * permanently be imported without them. Tests each provider with a dry run of a user who does not exist, which gets the
 * response of a real import.
 */
export async function requireProviders(
  api: ProjectApi,
  providers: ReadonlySet<string>,
): Promise<void> {
  const names = [...providers];
  const rows = names.map((provider) => ({
    external_id: randomUUID(),
    identities: [{ provider, subject: randomUUID() }],
  }));
  const results = rows.length > 0 ? await sendUsers(api, rows, true) : [];
  const wrong = results.flatMap(({ errors = [] }, i) =>
    errors.map((error) => `--providers: ${names[i]}: ${error.replace(/^\S+: /, '')}.`),
  );
  if (wrong.length > 0) throw new CommandFailure(wrong.join('\n'));
}
