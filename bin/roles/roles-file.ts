import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { permissions as permissionRoutes } from '../../shared/contract/permissions.ts';
import { roles as roleRoutes } from '../../shared/contract/roles.ts';
import { role } from '../../shared/model/fields.ts';
import { permission } from '../../shared/model/permission.ts';
import {
  type Definitions,
  isReservedPermission,
  problemsOf,
} from '../../shared/roles/definitions.ts';
import { CommandFailure, messageOf } from '../flags.ts';

/** Roles and permissions as a file has them: by name, each as its PUT takes it. */
const rolesFile = z.strictObject({
  permissions: z.record(permission, permissionRoutes.set.body).default({}),
  roles: z.record(role, roleRoutes.set.body).default({}),
});

/** Reads a file of roles and permissions. Throws a `CommandFailure` that names every wrong field. */
export async function readRolesFile(file: string): Promise<Definitions> {
  const given = await readJson(file);
  const read = rolesFile.safeParse(given);
  if (!read.success)
    throw wrong(
      file,
      read.error.issues.map(({ path, message }) => [pointerOf(path), message]),
    );
  const found = problems(read.data);
  if (found.length > 0) throw wrong(file, found);
  return read.data;
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown;
  } catch (error) {
    throw new CommandFailure(`${file}: ${messageOf(error)}`, { cause: error });
  }
}

/** What the service would refuse, of the file as a whole. */
function problems(definitions: Definitions): [pointer: string, detail: string][] {
  return [
    ...Object.keys(definitions.permissions)
      .filter(isReservedPermission)
      .map((name): [string, string] => [
        pointerOf(['permissions', name]),
        'Is of a resource of the service',
      ]),
    ...Object.entries(definitions.roles).flatMap(([name, given]) =>
      problemsOf(name, given, definitions).map(({ pointer, detail }): [string, string] => [
        pointer.replace(/^\/(?:path\/role|body)/, pointerOf(['roles', name])),
        detail,
      ]),
    ),
  ];
}

const wrong = (file: string, found: readonly (readonly [pointer: string, detail: string])[]) =>
  new CommandFailure(found.map(([at, detail]) => `${file}: ${at}: ${detail}`).join('\n'));

/** A JSON Pointer (RFC 6901). */
const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((each) => `/${String(each).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
