import type { ApiKey, NewApiKey } from '../../../client/generated/api.ts';
import { FieldError } from '../../failures.ts';
import { t } from '../../texts.ts';
import { daysOf } from '../../ui/days.ts';
import type { Options } from '../../ui/options.tsx';
import { tickedIn } from '../../ui/permission-ticks.tsx';

/** What a new key may do: what a role may, or a list of permissions. */
export type Access = { role?: 'member' | 'admin'; permissions?: string[] };
type Metadata = Record<string, unknown>;
export type KeyInput = Access & { name: string; expires_in?: number; metadata?: Metadata };
/** What is not named stays as it is. */
export type KeyChanges = { name?: string; metadata?: Metadata };

/** The keys of a user, or of a workspace, for who manages them. */
export type KeyStore = {
  /** Of another owner it is another list. */
  owner: string;
  list: () => Promise<ApiKey[]>;
  create: (input: KeyInput) => Promise<NewApiKey>;
  update: (key_id: string, changes: KeyChanges) => Promise<unknown>;
  rotate: (key_id: string, overlap: number) => Promise<NewApiKey>;
  revoke: (key_id: string) => Promise<unknown>;
  /** What a key can be instead of limited to permissions; the first is the default. */
  accesses: Options;
  /** The permissions that a key can be limited to. */
  permissions: () => Promise<string[]>;
};

/** As many permissions as the service takes of one key. */
const maxPermissions = 50;

/** The permissions that are ticked for a key. Throws a `FieldError` without one, and with too many. */
export function permissionsIn(values: Record<string, string>): string[] {
  const permissions = tickedIn(values);
  if (permissions.length === 0) throw new FieldError('', t('permissionsMissing'));
  if (permissions.length > maxPermissions)
    throw new FieldError('', t('permissionsMany', { count: maxPermissions }));
  return permissions;
}

/** Permissions by which no key does anything: those of the ownership, and of keys. */
export const isForKeys = (permission: string): boolean =>
  !/^(?:ownership:|api-key:|workspace:(?:delete|restore)$)/.test(permission);

/** For how many days a key can work. */
export const lifetimes = (): Options => [...daysOf(90, 30, 7, 365), ['', t('expiryNone')]];

/** For how many days the text before a rotation works. */
export const overlaps = (): Options => [...daysOf(1, 7), [0, t('overlapNone')]];
