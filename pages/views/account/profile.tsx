import { useState } from 'preact/hooks';
import type { User } from '../../../client/generated/api.ts';
import { profileChanges, profileFields } from '../../../client/profile-change.ts';
import { FieldError } from '../../failures.ts';
import { api, takeUser } from '../../session.ts';
import { t } from '../../texts.ts';
import { Field, Form } from '../../ui/form.tsx';
import { Section } from '../../ui/section.tsx';

export function Profile({ user }: { user: User }) {
  // What the fields began with. A renewal of the session also brings the user, but not into what is being typed.
  const [before] = useState(profileFields(user));
  const [change] = useState(() => profileChanges(user));
  const save = async (values: Record<string, string>, form: HTMLFormElement): Promise<void> => {
    const { user: latest, elsewhere } = await change(api, values);
    for (const [name, value] of Object.entries(elsewhere ?? {}))
      (form.elements.namedItem(name) as HTMLInputElement).value = value;
    takeUser(latest);
    if (elsewhere) throw new FieldError('', t('changedElsewhere'));
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
