import type { User } from '../../../client/generated/api.ts';
import { api, takeUser } from '../../session.ts';
import { t } from '../../texts.ts';
import { Field, Form } from '../../ui/form.tsx';
import { Section } from '../../ui/section.tsx';

export function Profile({ user }: { user: User }) {
  const save = async (values: Record<string, string>) => {
    const { display_name, given_name, family_name, thumbnail_url } = values;
    const { formatted } = user.name;
    const { body } = await api.users.update({
      uid: user.uid,
      display_name,
      // The parts that are left out become empty.
      name: { given_name, family_name, formatted },
      thumbnail_url,
    });
    takeUser(body);
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
          defaultValue={user.display_name}
        />
        <Field
          label={t('givenName')}
          name="given_name"
          required={false}
          maxLength={128}
          autocomplete="given-name"
          defaultValue={user.name.given_name}
        />
        <Field
          label={t('familyName')}
          name="family_name"
          required={false}
          maxLength={128}
          autocomplete="family-name"
          defaultValue={user.name.family_name}
        />
        <Field
          label={t('picture')}
          name="thumbnail_url"
          hint={t('pictureHint')}
          required={false}
          type="url"
          autocomplete="photo"
          dir="ltr"
          defaultValue={user.thumbnail_url}
        />
      </Form>
    </Section>
  );
}
