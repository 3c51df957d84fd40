import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import type { NewApiKey } from '../../../client/generated/api.ts';
import { t } from '../../texts.ts';
import { daySeconds } from '../../ui/days.ts';
import { Choice, Field, Form } from '../../ui/form.tsx';
import { useLoaded } from '../../ui/list.tsx';
import { type Access, type KeyStore, lifetimes, tickedIn, tickOf } from './key-store.ts';

const chosen = 'chosen';

type FormProps = { store: KeyStore; onMade: (made: NewApiKey) => Promise<unknown> };
type NewKeyProps = FormProps & { opener: RefObject<HTMLElement | null> };

export function NewKey({ store, opener, onMade }: NewKeyProps) {
  /** A new form after each key. */
  const [made, setMade] = useState(0);
  return (
    <details key={made}>
      <summary ref={opener}>{t('newKey')}</summary>
      <KeyForm
        store={store}
        onMade={(key) => {
          setMade(made + 1);
          return onMade(key);
        }}
      />
    </details>
  );
}

function KeyForm({ store, onMade }: FormProps) {
  const [access, setAccess] = useState<string>();
  const create = async (values: Record<string, string>) => {
    const { name = '', days = '' } = values;
    const limited: Access =
      access === chosen ? { permissions: tickedIn(values) } : roleOf(values['access']);
    const lifetime = days === '' ? {} : { expires_in: Number(days) * daySeconds };
    await onMade(await store.create({ name, ...lifetime, ...limited }));
  };
  return (
    <Form submit={t('create')} onSubmit={create}>
      <Field
        label={t('name')}
        name="name"
        hint={t('keyNameHint')}
        autocomplete="off"
        maxLength={128}
      />
      <Choice label={t('validFor')} name="days" options={lifetimes()} />
      <Choice
        label={t('keyAccess')}
        name="access"
        options={[...store.accesses, [chosen, t('accessChosen')]]}
        onChoose={setAccess}
      />
      {access === chosen && <Permissions store={store} />}
    </Form>
  );
}

const roleOf = (access: string | undefined): Access =>
  access === 'member' || access === 'admin' ? { role: access } : {};

/** A box to tick for each permission. */
function Permissions({ store }: { store: KeyStore }) {
  const { thing: permissions, waiting } = useLoaded(store.owner, store.permissions);
  if (!permissions) return waiting;
  if (permissions.length === 0) return <p>{t('noPermissions')}</p>;
  return (
    <fieldset class="ticks">
      <legend>{t('permissions')}</legend>
      {permissions.map((each) => (
        <label key={each}>
          <input type="checkbox" name={tickOf(each)} />
          <span dir="ltr">{each}</span>
        </label>
      ))}
    </fieldset>
  );
}
