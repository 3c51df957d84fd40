import { useState } from 'preact/hooks';
import type { User } from '../../client/generated/api.ts';
import { forgetFragment, fragment } from '../address.ts';
import { FieldError, isCode } from '../failures.ts';
import { hrefOf } from '../href.ts';
import { api } from '../session.ts';
import { loadJoiningTexts } from '../texts/joining.ts';
import { t } from '../texts.ts';
import { Join, Joined } from '../ui/join.tsx';
import { JoinWorkspace } from '../ui/join-workspace.tsx';
import type { View } from '../view.ts';

export const view: View = {
  title: 'invitation',
  for: 'user',
  loadTexts: loadJoiningTexts,
  Show: Invitation,
};

const token = fragment.get('token') ?? '';

/** Accepts an invitation. The links to join a workspace have the same address, and another fragment. */
function Invitation({ user }: { user: User }) {
  const [joined, setJoined] = useState<string>();
  if (fragment.has('join')) return <JoinWorkspace user={user} />;
  if (token === '')
    return (
      <p>
        {t('noInvitation')} <a href={hrefOf('workspaces')}>{t('toWorkspaces')}</a>
      </p>
    );
  if (joined !== undefined) return <Joined workspace_id={joined} />;
  const accept = async () => {
    try {
      const { body } = await api.invitations.accept({ token });
      forgetFragment();
      setJoined(body.workspace_id);
    } catch (error) {
      // Nobody has entered anything: a mail program has cut the link.
      if (isCode(error, 'invalid_request')) throw new FieldError('', t('error.mail_token_invalid'));
      throw error;
    }
  };
  return (
    <Join
      explanation={t('invitationExplained', { email: user.email })}
      submit={t('accept')}
      onJoin={accept}
    />
  );
}
