import { useState } from 'preact/hooks';
import type { User } from '../../client/generated/api.ts';
import { query } from '../address.ts';
import { isCode } from '../failures.ts';
import { hrefOf } from '../href.ts';
import { api } from '../session.ts';
import { loadJoiningTexts } from '../texts/joining.ts';
import { loadWorkspacesTexts } from '../texts/workspaces.ts';
import { t } from '../texts.ts';
import { Action } from '../ui/action.tsx';
import { useLoaded } from '../ui/list.tsx';
import type { View } from '../view.ts';

export const view: View = {
  title: 'ownership',
  for: 'user',
  loadTexts: () => Promise.all([loadWorkspacesTexts(), loadJoiningTexts()]),
  Show: Ownership,
};

const workspace_id = query.get('workspace_id') ?? '';

/** Its text. */
type Outcome = 'ownershipAccepted' | 'ownershipRefused' | 'noOffer';

/** Accepts the ownership of a workspace, or refuses it. */
function Ownership({ user }: { user: User }) {
  const [outcome, setOutcome] = useState<Outcome>();
  const { data: workspace, fallback } = useLoaded(workspace_id, async () =>
    workspace_id === '' ? undefined : (await api.workspaces.get({ workspace_id })).body,
  );
  const back = <a href={hrefOf('members', { workspace_id })}>{t('toWorkspace')}</a>;
  if (outcome)
    return (
      <>
        <p role="status">{t(outcome)}</p>
        <p>{back}</p>
      </>
    );
  if (!workspace) return workspace_id === '' ? <p>{t('noOffer')}</p> : fallback;
  if (workspace.ownership_offered_to !== user.uid) return <p>{t('noOffer')}</p>;
  const answer = (work: () => Promise<unknown>, done: Outcome) => async () => {
    try {
      await work();
      setOutcome(done);
    } catch (error) {
      if (!isCode(error, 'forbidden', 'not_found')) throw error;
      // The offer has ended elsewhere, or by this page, whose answer was lost.
      const { body } = await api.workspaces.get({ workspace_id });
      setOutcome(body.owner_id === user.uid ? 'ownershipAccepted' : 'noOffer');
    }
  };
  const accept = answer(() => api.ownership.accept({ workspace_id }), 'ownershipAccepted');
  const refuse = answer(() => api.ownership.end({ workspace_id }), 'ownershipRefused');
  return (
    <>
      <p>
        <strong dir="auto">{workspace.name}</strong>
      </p>
      <p>{t('ownershipExplained', { email: workspace.owner_email })}</p>
      <div class="buttons">
        <Action onAction={accept}>{t('accept')}</Action>{' '}
        <Action look="plain" onAction={refuse}>
          {t('refuse')}
        </Action>
      </div>
    </>
  );
}
