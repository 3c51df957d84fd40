import { Code } from '@mantine/core';
import { useState } from 'react';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { JsonField, objectIn, textOf } from '../ui/json-field.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Facts, Section } from '../ui/page.tsx';
import { reloadIfStale } from '../ui/stale.ts';
import { useFields } from '../ui/use-fields.ts';
import { useLoad } from '../ui/use-load.ts';

/** The names of the objects, each with who reads and writes it. */
export type Kind = { name: string; label: string; about: string };
type Objects = Record<string, Record<string, unknown> | undefined>;
type Answer = { body: Objects; headers: Headers };

type Props = {
  /** Of what it is the metadata. */
  id: string;
  kinds: Kind[];
  read: (signal: AbortSignal) => Promise<Answer>;
  /** @param ifMatch the version that was read, so that nobody's change is undone */
  write: (objects: Objects, ifMatch: string | undefined) => Promise<unknown>;
};

/** The backend's own data on a user or workspace. */
export function Metadata({ id, kinds, read, write }: Props) {
  const metadata = useLoad(`metadata ${id}`, async (signal) => {
    const { body, headers } = await read(signal);
    return { objects: body, etag: headers.get('etag') ?? undefined };
  });
  const { data, reload } = metadata;
  const save = async (objects: Objects, ifMatch: string | undefined) => {
    await reloadIfStale(write(objects, ifMatch), reload);
    reload();
  };
  return (
    <Section title="Metadata" actions={data && <Edit kinds={kinds} {...data} onSave={save} />}>
      <LoadState of={metadata} label="metadata" />
      {data && (
        <Facts
          rows={kinds.map(({ name, label }) => {
            const object = data.objects[name];
            const isEmpty = !object || Object.keys(object).length === 0;
            return [
              label,
              isEmpty ? (
                '–'
              ) : (
                <Code key={name} block className="json">
                  {textOf(object)}
                </Code>
              ),
            ];
          })}
        />
      )}
    </Section>
  );
}

type EditProps = {
  kinds: Kind[];
  objects: Objects;
  etag: string | undefined;
  onSave: (objects: Objects, ifMatch: string | undefined) => Promise<void>;
};

function Edit({ kinds, objects, etag, onSave }: EditProps) {
  const { fields, set, changed, reset } = useFields<Record<string, string>>(
    Object.fromEntries(kinds.map(({ name }) => [name, textOf(objects[name])])),
  );
  const [ifMatch, setIfMatch] = useState(etag);
  const updates = changed.map(([name, text]) => [name, objectIn(text)] as const);
  return (
    <Dialog
      label="Edit metadata"
      title="Edit metadata"
      submit="Save"
      size="xs"
      valid={updates.length > 0 && updates.every(([, object]) => object !== undefined)}
      onOpen={() => {
        reset();
        setIfMatch(etag);
      }}
      onSubmit={() => onSave(Object.fromEntries(updates), ifMatch)}
    >
      {kinds.map(({ name, label, about }) => (
        <JsonField
          key={name}
          label={label}
          about={about}
          text={fields[name] ?? ''}
          onChange={(text) => set(name, text)}
        />
      ))}
      <Explain>Each is one JSON object. An empty field clears it.</Explain>
    </Dialog>
  );
}
