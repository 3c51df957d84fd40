import { useState } from 'preact/hooks';
import type { User } from '../../client/generated/api.ts';
import { forgetFragment, fragment, query } from '../address.ts';
import { isCode } from '../failures.ts';
import { api } from '../session.ts';
import { t } from '../texts.ts';
import { Form, TextField } from './form.tsx';
import { Join, Joined } from './join.tsx';

const join_token = fragment.get('join') ?? undefined;
const workspace_id = query.get('workspace_id') ?? '';

/** Joins a workspace, with a link or by an allowed domain; where an admin has to decide, it asks to join. */
export function JoinWorkspace({ user }: { user: User }) {
  const [state, setState] = useState<'open' | 'asking' | 'asked' | 'joined'>('open');
  const end = (outcome: 'joined' | 'asked') => {
    forgetFragment();
    setState(outcome);
  };
  const join = async () => {
    try {
      await api.members.join({ workspace_id, user_id: user.uid, join_token });
      end('joined');
    } catch (error) {
      if (isCode(error, 'approval_required')) setState('asking');
      else if (isCode(error, 'already_member')) end('joined');
      else throw error;
    }
  };
  const ask = async ({ message }: Record<string, string>) => {
    await api.joinRequests.create({ workspace_id, message: message || undefined });
    end('asked');
  };
  if (workspace_id === '') return <p>{t('noInvitation')}</p>;
  if (state === 'asked') return <p role="status">{t('joinAsked')}</p>;
  if (state === 'joined') return <Joined workspace_id={workspace_id} />;
  if (state === 'asking')
    return (
      <>
        <p role="status">{t('error.approval_required')}</p>
        <Form submit={t('askToJoin')} onSubmit={ask}>
          <TextField label={t('message')} name="message" />
        </Form>
      </>
    );
  return (
    <Join
      explanation={t('joinExplained', { email: user.email })}
      submit={t('joinNow')}
      onJoin={join}
    />
  );
}
