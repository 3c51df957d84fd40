import { textOr } from '../texts.ts';

type PermissionTicksProps = {
  legend: string;
  permissions: readonly string[];
  /** Those that are ticked at first. */
  ticked?: readonly string[];
};

const prefix = 'permission ';

/** What permissions allow, in a line. The id stands for each whose words are not known, such as one of the project. */
export const wordsOf = (permissions: readonly string[]): string =>
  permissions.map((each) => textOr(`permission.${each}`, each)).join(', ');

/** A box to tick for each permission, with what it allows where that is known. */
export const PermissionTicks = ({ legend, permissions, ticked }: PermissionTicksProps) => (
  <fieldset class="ticks">
    <legend>{legend}</legend>
    {permissions.map((each) => (
      <label key={each}>
        <input type="checkbox" name={prefix + each} defaultChecked={ticked?.includes(each)} />
        <Permission id={each} />
      </label>
    ))}
  </fieldset>
);

function Permission({ id }: { id: string }) {
  const words = wordsOf([id]);
  if (words === id) return <span dir="ltr">{id}</span>;
  return (
    <span>
      {words} <small dir="ltr">{id}</small>
    </span>
  );
}

/** The permissions that are ticked in a form. */
export const tickedIn = (values: Record<string, string>): string[] =>
  Object.keys(values).flatMap((name) =>
    name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
  );
