import { useState } from 'preact/hooks';
import type { User } from '../../client/generated/api.ts';
import { fragment, hrefOf, query } from '../address.ts';
import { isCode } from '../failures.ts';
import { api, switchAccount } from '../session.ts';
import { t } from '../texts.ts';
import { Action } from './action.tsx';
import { Form, TextField } from './form.tsx';

const join_token = fragment.get('join') ?? undefined;
const workspace_id = query.get('workspace_id') ?? '';

/** Joins a workspace, with a link or by an allowed domain; where an admin has to decide, it asks to join. */
export function JoinWorkspace({ user }: { user: User }) {
  const [state, setState] = useState<'open' | 'asking' | 'asked' | 'joined'>('open');
  const join = async () => {
    try {
      await api.members.join({ workspace_id, user_id: user.uid, join_token });
      setState('joined');
    } catch (error) {
      if (isCode(error, 'approval_required')) setState('asking');
      else if (isCode(error, 'already_member')) setState('joined');
      else throw error;
    }
  };
  const ask = async ({ message }: Record<string, string>) => {
    await api.joinRequests.create({ workspace_id, message: message || undefined });
    setState('asked');
  };
  if (workspace_id === '') return <p>{t('noInvitation')}</p>;
  if (state === 'asked') return <p role="status">{t('joinAsked')}</p>;
  if (state === 'joined')
    return (
      <>
        <p role="status">{t('joined')}</p>
        <p>
          <a href={hrefOf('members', { workspace_id })}>{t('toWorkspace')}</a>
        </p>
      </>
    );
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
    <>
      <p>{t('joinExplained', { email: user.email })}</p>
      <Form submit={t('joinNow')} onSubmit={join}>
        {null}
      </Form>
      <p>
        <Action look="plain" onAction={switchAccount}>
          {t('otherAccount')}
        </Action>
      </p>
    </>
  );
}
