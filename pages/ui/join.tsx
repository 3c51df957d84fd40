import { hrefOf } from '../href.ts';
import { switchAccount } from '../session.ts';
import { t } from '../texts.ts';
import { Action } from './action.tsx';
import { Form } from './form.tsx';

type JoinProps = { explanation: string; submit: string; onJoin: () => Promise<unknown> };

/** Joins with a button, or goes on with another account. */
export const Join = ({ explanation, submit, onJoin }: JoinProps) => (
  <>
    <p>{explanation}</p>
    <Form submit={submit} onSubmit={onJoin}>
      {null}
    </Form>
    <p>
      <Action look="plain" onAction={switchAccount}>
        {t('otherAccount')}
      </Action>
    </p>
  </>
);

/** Says that somebody has joined, with the way to the workspace. */
export const Joined = ({ workspace_id }: { workspace_id: string }) => (
  <>
    <p role="status">{t('joined')}</p>
    <p>
      <a href={hrefOf('members', { workspace_id })}>{t('toWorkspace')}</a>
    </p>
  </>
);
