import type { OwnPermissions, User } from '../../client/generated/api.ts';
import { api } from '../session.ts';
import { loadKeyTexts } from '../texts/api-keys.ts';
import { t } from '../texts.ts';
import { ManagedWorkspace, workspace_id } from '../ui/managed-workspace.tsx';
import type { View } from '../view.ts';
import { isForKeys, type KeyStore } from './keys/key-store.ts';
import { Keys } from './keys/keys.tsx';

export const view: View = {
  title: 'apiKeys',
  for: 'user',
  wide: true,
  loadTexts: loadKeyTexts,
  Show: ApiKeys,
};

/** The API keys of a workspace, for those who manage them. */
function ApiKeys({ user }: { user: User }) {
  return (
    <ManagedWorkspace user={user} permission="api-key:manage">
      {(own) => (
        <>
          <p>{t('keysOfWorkspace')}</p>
          <Keys store={storeOf(own)} />
        </>
      )}
    </ManagedWorkspace>
  );
}

function storeOf({ role, permissions }: OwnPermissions): KeyStore {
  const { workspaceKeys } = api;
  const isAdmin = role === 'owner' || role === 'admin';
  return {
    owner: workspace_id,
    list: async () => (await workspaceKeys.list({ workspace_id })).body.result,
    create: async (input) => (await workspaceKeys.create({ workspace_id, ...input })).body,
    update: (key_id, changes) => workspaceKeys.update({ workspace_id, key_id, ...changes }),
    rotate: async (key_id, overlap) =>
      (await workspaceKeys.rotate({ workspace_id, key_id, overlap })).body,
    revoke: (key_id) => workspaceKeys.revoke({ workspace_id, key_id }),
    accesses: [
      ['member', t('accessMember')],
      // No other role holds all that an admin may do.
      ...(isAdmin ? ([['admin', t('accessAdmin')]] as const) : []),
    ],
    permissions: async () => permissions.filter(isForKeys),
  };
}
