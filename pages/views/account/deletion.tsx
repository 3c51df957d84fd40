import type { User, UserDeletion } from '../../../client/generated/api.ts';
import { FieldError } from '../../failures.ts';
import { hrefOf } from '../../href.ts';
import { project } from '../../project.ts';
import { api } from '../../session.ts';
import { dateAndTime, t } from '../../texts.ts';
import { Field, Form, PasswordField } from '../../ui/form.tsx';
import { Section } from '../../ui/section.tsx';
import { asksPassword, withPassword } from './current-password.ts';

type DeletionProps = { user: User; onDeleted: (receipt: UserDeletion) => void };

/** Deletes the account, once its e-mail has been typed. */
export function Deletion({ user, onDeleted }: DeletionProps) {
  const expectedText = user.email || user.uid;
  const remove = async ({ typed: input = '', current_password }: Record<string, string>) => {
    if (input.toLowerCase() !== expectedText.toLowerCase())
      throw new FieldError('typed', t('deletionTyped', { text: expectedText }));
    const deletion = { uid: user.uid, current_password };
    onDeleted((await withPassword(() => api.users.delete(deletion))).body);
  };
  return (
    <Section title={t('deleteAccount')}>
      <details>
        <summary>{t('deleteAccount')}</summary>
        <p>{t('deletionExplained')}</p>
        <Form danger submit={t('deleteAccount')} onSubmit={remove}>
          <Field
            label={t('deletionTyped', { text: expectedText })}
            name="typed"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
          />
          {asksPassword(user) && <PasswordField name="current_password" />}
        </Form>
      </details>
    </Section>
  );
}

/** What is left of a deleted user. */
export const Receipt = ({ receipt }: { receipt: UserDeletion }) => (
  <>
    <p role="status">
      {t('deleted', { name: project.name, time: dateAndTime(receipt.deleted_at) })}
    </p>
    <p>{t('receipt', { id: receipt.uid })}</p>
    <p>
      <a href={hrefOf('signed-out')}>{t('leavePage')}</a>
    </p>
  </>
);
