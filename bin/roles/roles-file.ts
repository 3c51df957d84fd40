import * as z from 'zod';
import { permissions as permissionRoutes } from '../../shared/contract/permissions.ts';
import { roles as roleRoutes } from '../../shared/contract/roles.ts';
import { issueMessage as wordsOf } from '../../shared/http/issue-message.ts';
import { role } from '../../shared/model/fields.ts';
import { isObject } from '../../shared/model/json-object.ts';
import { messageOf } from '../../shared/model/message-of.ts';
import { permission } from '../../shared/model/permission.ts';
import {
  type Definitions,
  isReservedPermission,
  problemsOf,
} from '../../shared/roles/definitions.ts';
import { CommandFailure } from '../flags.ts';
import { readText } from '../read-text.ts';

const { body: permissionBody } = permissionRoutes.set;
const { body: roleBody } = roleRoutes.set;
/** Roles and permissions as a file has them: by name, each as its PUT takes it. */
const rolesFile = z.strictObject({
  permissions: z.record(permission, permissionBody).default({}),
  roles: z.record(role, roleBody).default({}),
});

/** A wrong field of the file, by its JSON Pointer (RFC 6901); the empty one is the whole file. */
type Wrong = [pointer: string, detail: string];

/** Reads a file of roles and permissions. Throws a `CommandFailure` that names every wrong field. */
export async function readRolesFile(file: string): Promise<Definitions> {
  const content = await readJson(file);
  const { data, error } = rolesFile.safeParse(content, { error: wordsOf });
  const found = [...(error?.issues ?? []).flatMap(wrongIn), ...problems(readable(content))];
  if (data && found.length === 0) return data;
  const lines = found.map(([at, detail]) => [file, ...(at === '' ? [] : [at]), detail].join(': '));
  throw new CommandFailure(lines.join('\n'));
}

function wrongIn(issue: z.core.$ZodIssue): Wrong[] {
  const { code, path, message } = issue;
  if (code === 'unrecognized_keys')
    return issue.keys.map((key) => [pointerOf([...path, key]), 'Unknown field']);
  return [
    [pointerOf(path), code === 'invalid_key' ? (issue.issues[0]?.message ?? message) : message],
  ];
}

/** The parts of a file that can be checked despite errors elsewhere. An invalid entry is reduced to its name. */
function readable(content: unknown): Definitions {
  const { permissions = {}, roles } = isObject(content) ? content : {};
  // The permissions are unknown then, so roles cannot be checked.
  if (!isObject(permissions)) return { permissions: {}, roles: {} };
  return {
    permissions: entriesOf(permissions, permission, permissionBody, {}),
    roles: entriesOf(roles, role, roleBody, { permissions: [] }),
  };
}

const entriesOf = <T>(
  value: unknown,
  name: z.ZodType<string>,
  body: z.ZodType<T>,
  otherwise: T,
): Record<string, T> =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {})
      .filter(([key]) => name.safeParse(key).success)
      .map(([key, each]) => [key, body.safeParse(each).data ?? otherwise]),
  );

async function readJson(file: string): Promise<unknown> {
  const text = await readText(file);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new CommandFailure(`${file}: ${messageOf(error)}`, { cause: error });
  }
}

/** Problems of the file as a whole for which the service would reject it. */
function problems(definitions: Definitions): Wrong[] {
  return [
    ...Object.keys(definitions.permissions)
      .filter(isReservedPermission)
      .map((name): Wrong => [pointerOf(['permissions', name]), 'Is of a resource of the service']),
    ...Object.entries(definitions.roles).flatMap(([name, definition]) =>
      problemsOf(name, definition, definitions).map(
        ({ pointer, detail }): Wrong => [
          pointer.replace(/^\/(?:path\/role|body)/, pointerOf(['roles', name])),
          detail,
        ],
      ),
    ),
  ];
}

const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((each) => `/${String(each).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
