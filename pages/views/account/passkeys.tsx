import { deviceName } from '../../../client/device-name.ts';
import type { Passkey, User } from '../../../client/generated/api.ts';
import { supportsPasskeys } from '../../../client/passkeys.ts';
import { unlessGone } from '../../failures.ts';
import { addPasskey } from '../../passkeys.ts';
import { api } from '../../session.ts';
import { date, t } from '../../texts.ts';
import { Field, Form, PasswordField } from '../../ui/form.tsx';
import { List, useList } from '../../ui/list.tsx';
import { Section } from '../../ui/section.tsx';
import { asksPassword, withPassword } from './current-password.ts';

/** The passkeys that somebody can sign in with, and another one. */
export function Passkeys({ user }: { user: User }) {
  const load = async () => ({ items: (await api.passkeys.list()).body.result });
  // The first verification of the e-mail, which changes the user, may remove them.
  const list = useList<Passkey>(user.uid, load, user.modified_at);
  const confirm = asksPassword(user) && <PasswordField name="current_password" />;
  const change =
    (work: (values: Record<string, string>) => Promise<unknown>) =>
    async (values: Record<string, string>) => {
      await withPassword(() => work(values));
      await list.refresh();
    };
  return (
    <Section title={t('passkeys')}>
      <List list={list} empty={t('noPasskeys')} keyOf={({ passkey_id }) => passkey_id}>
        {({ passkey_id, name, created_at, last_used_at, counter_decreased }) => (
          <details>
            <summary dir="auto">
              {name}
              <small>
                {last_used_at === undefined
                  ? t('addedOn', { date: date(created_at) })
                  : t('usedOn', { date: date(last_used_at) })}
              </small>
              {counter_decreased && <small class="wrong">{t('passkeyCopied')}</small>}
            </summary>
            <Form
              submit={t('rename')}
              onSubmit={change((values) =>
                api.passkeys.rename({ passkey_id, name: values['name'] ?? '' }).catch(unlessGone),
              )}
            >
              <Field label={t('name')} name="name" defaultValue={name} maxLength={128} />
            </Form>
            <Form
              danger
              submit={t('deletePasskey')}
              onSubmit={change(({ current_password }) =>
                api.passkeys.delete({ passkey_id, current_password }).catch(unlessGone),
              )}
            >
              {confirm}
            </Form>
          </details>
        )}
      </List>
      {supportsPasskeys() && (
        <Form
          submit={t('addPasskey')}
          done={t('passkeyAdded')}
          onSubmit={change(({ name = '', current_password }) => addPasskey(name, current_password))}
        >
          <Field
            label={t('name')}
            name="name"
            defaultValue={deviceName(navigator.userAgent)}
            maxLength={128}
          />
          {confirm}
        </Form>
      )}
    </Section>
  );
}
