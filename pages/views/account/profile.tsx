import { useState } from 'preact/hooks';
import type { User } from '../../../client/generated/api.ts';
import { FieldError, isCode } from '../../failures.ts';
import { api, takeUser } from '../../session.ts';
import { t } from '../../texts.ts';
import { Field, Form } from '../../ui/form.tsx';
import { Section } from '../../ui/section.tsx';

const fieldsOf = ({ display_name, name, thumbnail_url }: User) => ({
  display_name,
  given_name: name.given_name,
  family_name: name.family_name,
  thumbnail_url,
});
type Fields = ReturnType<typeof fieldsOf>;

export function Profile({ user }: { user: User }) {
  // What the fields began with. A renewal of the session also brings the user, but not into what is being typed.
  const [before, setBefore] = useState(fieldsOf(user));
  const take = (next: User): void => {
    setBefore(fieldsOf(next));
    takeUser(next);
  };
  const save = async (
    values: Record<string, string>,
    form: HTMLFormElement,
    tries = 3,
  ): Promise<void> => {
    const { body: latest, headers } = await api.users.getMe();
    const fields = Object.entries(fieldsOf(latest)) as [keyof Fields, string][];
    const changed = fields.filter(([name, value]) => ![before[name], values[name]].includes(value));
    if (changed.length > 0) {
      for (const [name, value] of changed)
        (form.elements.namedItem(name) as HTMLInputElement).value = value;
      take(latest);
      throw new FieldError('', t('changedElsewhere'));
    }
    const { display_name, given_name, family_name, thumbnail_url } = values;
    // The parts that are left out become empty.
    const name = { given_name, family_name, formatted: latest.name.formatted };
    const change = { uid: user.uid, display_name, name, thumbnail_url };
    const options = { ifMatch: headers.get('etag') ?? undefined };
    try {
      take((await api.users.update(change, options)).body);
    } catch (error) {
      if (tries === 1 || !isCode(error, 'precondition_failed')) throw error;
      return save(values, form, tries - 1);
    }
  };
  return (
    <Section title={t('profile')}>
      <Form submit={t('save')} done={t('saved')} onSubmit={save}>
        <Field
          label={t('displayName')}
          name="display_name"
          required={false}
          maxLength={128}
          autocomplete="nickname"
          defaultValue={before.display_name}
        />
        <Field
          label={t('givenName')}
          name="given_name"
          required={false}
          maxLength={128}
          autocomplete="given-name"
          defaultValue={before.given_name}
        />
        <Field
          label={t('familyName')}
          name="family_name"
          required={false}
          maxLength={128}
          autocomplete="family-name"
          defaultValue={before.family_name}
        />
        <Field
          label={t('picture')}
          name="thumbnail_url"
          hint={t('pictureHint')}
          required={false}
          type="url"
          autocomplete="photo"
          dir="ltr"
          defaultValue={before.thumbnail_url}
        />
      </Form>
    </Section>
  );
}
