import type { User } from '../../../client/generated/api.ts';
import { isCode } from '../../failures.ts';
import { api } from '../../session.ts';
import { t } from '../../texts.ts';
import { Section } from '../../ui/section.tsx';
import { isForKeys, type KeyStore } from '../keys/key-store.ts';
import { Keys } from '../keys/keys.tsx';

/** Whose permissions are read for the choice, one request for each. */
const maxWorkspaces = 20;

/** The API keys of somebody, by which programs act as them. A file of its own: the page comes before it. */
export function OwnKeys({ user }: { user: User }) {
  const { apiKeys } = api;
  const store: KeyStore = {
    owner: user.uid,
    list: async () => (await apiKeys.list()).body.result,
    create: async (input) => (await apiKeys.create(input)).body,
    update: (key_id, changes) => apiKeys.update({ key_id, ...changes }),
    rotate: async (key_id, overlap) => (await apiKeys.rotate({ key_id, overlap })).body,
    revoke: (key_id) => apiKeys.revoke({ key_id }),
    accesses: [['all', t('accessAll')]],
    permissions: readPermissions,
  };
  return (
    <Section title={t('apiKeys')}>
      <p>{t('keysOfUser')}</p>
      <Keys store={store} />
    </Section>
  );
}

/** What the user may do in any of their workspaces. */
async function readPermissions(): Promise<string[]> {
  const { body } = await api.workspaces.listJoined({ limit: maxWorkspaces });
  const permissions = await Promise.all(
    body.map(({ workspace_id }) => readOwnPermissions(workspace_id)),
  );
  return [...new Set(permissions.flat())].filter(isForKeys).sort();
}

async function readOwnPermissions(workspace_id: string): Promise<string[]> {
  try {
    return (await api.permissions.listOfCaller({ workspace_id })).body.permissions;
  } catch (error) {
    // The user has left it, it was deleted, the membership is suspended, or it asks for a second factor.
    if (isCode(error, 'not_found', 'membership_suspended', 'mfa_required')) return [];
    throw error;
  }
}
