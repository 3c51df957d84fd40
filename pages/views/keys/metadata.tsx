import type { ApiKey } from '../../../client/generated/api.ts';
import { FieldError } from '../../failures.ts';
import { t } from '../../texts.ts';
import { TextField } from '../../ui/form.tsx';

type Metadata = NonNullable<ApiKey['metadata']>;

/** Bytes that the service keeps with a key. */
const maxBytes = 2_048;

/** An object as people read and write it; empty for none. */
export const metadataText = (metadata: Metadata = {}): string =>
  Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata, null, 2);

/** The field for the data that who manages a key keeps with it. */
export const MetadataField = ({ metadata }: { metadata?: Metadata | undefined }) => (
  <TextField
    code
    label={t('metadata')}
    name="metadata"
    hint={t('metadataHint', { count: maxBytes })}
    defaultValue={metadataText(metadata)}
  />
);

/** The object in the field; an empty one for an empty field. Throws a `FieldError` for anything that is no object. */
export function metadataIn({ metadata: text = '' }: Record<string, string>): Metadata {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Metadata;
  } catch {
    // No JSON, which the words below say too.
  }
  throw new FieldError('metadata', t('metadataNoObject'));
}
