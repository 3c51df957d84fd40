import { useState } from 'preact/hooks';
import type { NewApiKey } from '../../../client/generated/api.ts';
import { loadPermissionTexts } from '../../texts/permissions.ts';
import { t } from '../../texts.ts';
import { daySeconds } from '../../ui/days.ts';
import { Choice, Field, Form } from '../../ui/form.tsx';
import { useLoaded } from '../../ui/list.tsx';
import { PermissionTicks } from '../../ui/permission-ticks.tsx';
import { type Access, type KeyStore, lifetimes, permissionsIn } from './key-store.ts';
import { MetadataField, metadataIn } from './metadata.tsx';

const chosen = 'chosen';

export type KeyFormProps = { store: KeyStore; onMade: (apiKey: NewApiKey) => Promise<unknown> };

/** What somebody says of a new key. */
export function KeyForm({ store, onMade }: KeyFormProps) {
  const [access, setAccess] = useState<string>();
  const create = async (values: Record<string, string>) => {
    const { name = '', days = '' } = values;
    const keyAccess: Access =
      access === chosen ? { permissions: permissionsIn(values) } : roleOf(values['access']);
    const lifetime = days === '' ? {} : { expires_in: Number(days) * daySeconds };
    const metadata = metadataIn(values);
    const optionalMetadata = Object.keys(metadata).length === 0 ? {} : { metadata };
    await onMade(await store.create({ name, ...lifetime, ...keyAccess, ...optionalMetadata }));
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
      <MetadataField />
    </Form>
  );
}

const roleOf = (access: string | undefined): Access =>
  access === 'member' || access === 'admin' ? { role: access } : {};

/** A box to tick for each permission. */
function Permissions({ store }: { store: KeyStore }) {
  const { data: permissions, fallback } = useLoaded(store.owner, async () => {
    const [found] = await Promise.all([store.permissions(), loadPermissionTexts()]);
    return found;
  });
  if (!permissions) return fallback;
  if (permissions.length === 0) return <p>{t('noPermissions')}</p>;
  return <PermissionTicks legend={t('permissions')} permissions={permissions} />;
}
