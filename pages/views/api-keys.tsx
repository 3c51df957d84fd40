import type { OwnPermissions, User } from '../../client/generated/api.ts';
import { hrefOf, query } from '../address.ts';
import { isCode, wordsFor } from '../failures.ts';
import { api } from '../session.ts';
import { loadKeyTexts, t } from '../texts.ts';
import { useLoaded } from '../ui/list.tsx';
import type { View } from '../view.ts';
import { isForKeys, type KeyStore } from './keys/key-store.ts';
import { Keys } from './keys/keys.tsx';

export const view: View = { title: 'apiKeys', for: 'user', wide: true, Show: ApiKeys };

const workspace_id = query.get('workspace_id') ?? '';

/** The API keys of a workspace, for whoever manages them. */
function ApiKeys({ user }: { user: User }) {
  const { thing, waiting } = useLoaded(`${user.uid} ${workspace_id}`, async () => {
    try {
      const [{ body }, own] = await Promise.all([
        api.workspaces.get({ workspace_id }),
        api.permissions.listOfCaller({ workspace_id }),
        loadKeyTexts(),
      ]);
      const { role, permissions } = own.body;
      if (!permissions.includes('api-key:manage')) return { gone: t('error.forbidden') };
      return { name: body.name, role, permissions };
    } catch (error) {
      // There is none, or none for this user: asking again would not help.
      if (isCode(error, 'not_found', 'invalid_request')) return { gone: wordsFor(error) };
      throw error;
    }
  });
  if (workspace_id === '')
    return (
      <p>
        <a href={hrefOf('workspaces')}>{t('toWorkspaces')}</a>
      </p>
    );
  if (!thing) return waiting;
  if (!thing.permissions)
    return (
      <>
        <p role="alert">{thing.gone}</p>
        <p>
          <a href={hrefOf('workspaces')}>{t('toWorkspaces')}</a>
        </p>
      </>
    );
  return (
    <>
      <p class="lead">
        <a href={hrefOf('members', { workspace_id })} dir="auto">
          {thing.name}
        </a>
      </p>
      <p>{t('keysOfWorkspace')}</p>
      <Keys store={storeOf(thing)} />
    </>
  );
}

function storeOf({ role, permissions }: OwnPermissions): KeyStore {
  const { workspaceKeys } = api;
  const isAdmin = role === 'owner' || role === 'admin';
  return {
    owner: workspace_id,
    list: async () => (await workspaceKeys.list({ workspace_id })).body.result,
    create: async (wishes) => (await workspaceKeys.create({ workspace_id, ...wishes })).body,
    rename: (key_id, name) => workspaceKeys.update({ workspace_id, key_id, name }),
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
