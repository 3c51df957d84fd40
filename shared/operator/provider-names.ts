import { type Project, providerOf, type SignInProvider } from '../access/projects.ts';
import { getItem } from '../db/batch-loader.ts';
import { del, put, type Write } from '../db/change.ts';
import { absent, and, attributeUnchanged, exists, where } from '../db/condition.ts';
import type { Item } from '../db/item.ts';
import { keys } from '../db/keys.ts';
import { baseOf, isOfOneIssuer, isPresetName } from '../model/provider-presets.ts';
import type { Guard } from './guard.ts';
import { storedProjects } from './stored-projects.ts';

/** What a name stands for, and the projects that use it. There is none for a name that nobody uses. */
type ProviderName = Item & { issuer: string; project_ids: string[] };
type Use = { project_id: string; issuer: string };
type Named = Pick<Project, 'project_id' | 'sign_in_providers'>;

/**
 * Lets a name of a provider stand for one issuer in all projects. Every project that has a provider of this name gets
 * its answers at the same redirect URI: with two issuers behind it, one could have the code of the other's user sent
 * there and on to its own token endpoint (mix-up; RFC 9700, section 4.4). Throws an Error for the operator that names
 * each provider whose name stands for another issuer.
 *
 * @param project as it is before, without providers if it is new
 */
export async function guardNames(
  project: Named,
  sign_in_providers: Record<string, SignInProvider> = {},
): Promise<Guard> {
  const { project_id, sign_in_providers: before } = project;
  const changed = Object.keys({ ...before, ...sign_in_providers })
    .filter((name) => !isOfOneIssuer(name))
    .map((name) => ({ name, issuer: issuerIn({ sign_in_providers }, name) }))
    .filter(({ name, issuer }) => issuer !== issuerIn(project, name));
  const storedNames = await Promise.all(
    changed.map(({ name }) => getItem<ProviderName>(keys.providerName(name))),
  );
  const unknown = changed.filter((_, i) => storedNames[i] === undefined).map(({ name }) => name);
  const users = await usersWithoutGuard(unknown);
  const names = changed.map(({ name, issuer }, i) => {
    const others = (storedNames[i] ? usesOf(storedNames[i]) : usesIn(users, name)).filter(
      (use) => use.project_id !== project_id,
    );
    const isTaken = issuer !== undefined && others.some((use) => use.issuer !== issuer);
    const uses = issuer === undefined ? others : [...others, { project_id, issuer }];
    return { name, isTaken, write: writeOf(name, storedNames[i], uses) };
  });
  const taken = names.filter(({ isTaken }) => isTaken);
  if (taken.length > 0) throw new Error(taken.map(({ name }) => takenName(name)).join('; '));
  return {
    settingUnchanged: and(exists, attributeUnchanged('sign_in_providers', before)),
    writes: Object.fromEntries(names.map(({ name, write }) => [`provider ${name}`, write])),
    refused: new Error(
      'sign_in_providers: Another project has changed a provider of the same name just now; try again.',
    ),
  };
}

/** The issuer that a name stands for in a project; undefined if it has no such provider. */
function issuerIn(project: Pick<Project, 'sign_in_providers'>, name: string): string | undefined {
  const provider = providerOf(project, name);
  return provider && baseOf(provider);
}

/**
 * Replaces what is known of a name. Its list of projects changes with each use, so what was read tells every change.
 */
function writeOf(name: string, storedName: ProviderName | undefined, uses: Use[]): Write {
  const key = keys.providerName(name);
  const nameUnchanged = storedName
    ? where('#issuer = :issuer AND #project_ids = :project_ids', {
        issuer: storedName.issuer,
        project_ids: storedName.project_ids,
      })
    : absent;
  const [issuer, ...more] = new Set(uses.map((use) => use.issuer));
  // Projects from before there were guards may contradict each other. Then there is none, and nobody joins them.
  if (issuer === undefined || more.length > 0) return del(key, nameUnchanged);
  return put({ ...key, issuer, project_ids: uses.map((use) => use.project_id) }, nameUnchanged);
}

const usesOf = ({ issuer, project_ids }: ProviderName): Use[] =>
  project_ids.map((project_id) => ({ project_id, issuer }));

function usesIn(projects: readonly Named[], name: string): Use[] {
  return projects.flatMap((project) => {
    const issuer = issuerIn(project, name);
    return issuer === undefined ? [] : [{ project_id: project.project_id, issuer }];
  });
}

/**
 * The projects that use a name without a guard: their settings are older than guards. Each is read by its key, because
 * the index may still show a name that was given up.
 */
async function usersWithoutGuard(names: readonly string[]): Promise<Named[]> {
  if (names.length === 0) return [];
  const listed = (await storedProjects()).filter((project) =>
    names.some((name) => providerOf(project, name) !== undefined),
  );
  const stored = await Promise.all(
    listed.map(({ project_id }) => getItem<Project>(keys.project(project_id))),
  );
  return stored.filter((project) => project !== undefined);
}

function takenName(name: string): string {
  const preset = isPresetName(name) ? `, with "preset": "${name}"` : '';
  return `sign_in_providers.${name}: The name stands for another issuer in another project. Choose another name, such as acme-${name}${preset}`;
}
