import type { ApiKey } from '../../../client/generated/api.ts';
import { date, dateAndTime, day, t } from '../../texts.ts';
import { Action } from '../../ui/action.tsx';
import { daySeconds } from '../../ui/days.ts';
import { Choice, Field, Form } from '../../ui/form.tsx';
import { wordsOf } from '../../ui/permission-ticks.tsx';
import { type KeyChanges, overlaps } from './key-store.ts';
import { MetadataField, metadataIn, metadataText } from './metadata.tsx';

type KeyRowProps = {
  apiKey: ApiKey;
  onChange: (changes: KeyChanges) => Promise<unknown>;
  /** @param overlap seconds for which the text before works */
  onRotate: (overlap: number) => Promise<unknown>;
  onRevoke: () => Promise<unknown>;
};

/** One key: what it may do, when it was used and when it ends, and what can be done to it. */
export function KeyRow({ apiKey, onChange, onRotate, onRevoke }: KeyRowProps) {
  const { name, metadata, role, permissions, expires_at, last_used_on, previous_expires_at } =
    apiKey;
  const times = [
    last_used_on === undefined ? t('keyUnused') : t('keyUsedOn', { date: day(last_used_on) }),
    expires_at !== undefined && t('expiresOn', { date: date(expires_at) }),
    previous_expires_at !== undefined &&
      t('previousUntil', { time: dateAndTime(previous_expires_at) }),
  ];
  const accessText =
    role === undefined ? 'accessAll' : role === 'admin' ? 'accessAdmin' : 'accessMember';
  return (
    <>
      <div>
        <strong dir="auto">{name}</strong>
        <small>{permissions ? wordsOf(permissions) : t(accessText)}</small>
        {metadata && (
          <small>
            <code dir="ltr">{shortened(JSON.stringify(metadata))}</code>
          </small>
        )}
        <small>{times.filter(Boolean).join(' · ')}</small>
      </div>
      <div class="buttons">
        <Action
          look="danger"
          about={name}
          confirm={t('revokeKeySure', { name })}
          onAction={onRevoke}
        >
          {t('revoke')}
        </Action>
      </div>
      <details>
        <summary>
          {t('changeKey')}
          <span class="unseen"> {name}</span>
        </summary>
        <Form
          submit={t('save')}
          done={t('saved')}
          onSubmit={(values) => onChange(changesIn(values, apiKey))}
        >
          <Field label={t('name')} name="name" defaultValue={name} maxLength={128} />
          <MetadataField metadata={metadata} />
        </Form>
        <p>{t('rotateKeyExplained')}</p>
        <Form submit={t('rotateKey')} onSubmit={({ days }) => onRotate(Number(days) * daySeconds)}>
          <Choice label={t('overlap')} name="days" options={overlaps()} />
        </Form>
      </details>
    </>
  );
}

/** Characters of metadata in a list; all of it is in the form. */
const maxShown = 200;
const shortened = (text: string): string =>
  text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;

/** What differs from the key as it is shown: what somebody else has changed meanwhile stays. */
function changesIn(values: Record<string, string>, { name, metadata }: ApiKey): KeyChanges {
  const { name: next = name } = values;
  const object = metadataIn(values);
  return {
    ...(next !== name && { name: next }),
    ...(metadataText(object) !== metadataText(metadata) && { metadata: object }),
  };
}
