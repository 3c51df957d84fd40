import { hasText, t } from '../texts.ts';

type PermissionTicksProps = {
  legend: string;
  permissions: readonly string[];
  /** Those that are ticked at first. */
  ticked?: readonly string[];
};

const prefix = 'permission ';

/** What a permission allows; undefined without the texts of permissions, and for one of the project's own. */
export function permissionWords(permission: string): string | undefined {
  const key = `permission.${permission}`;
  return hasText(key) ? t(key) : undefined;
}

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
  const words = permissionWords(id);
  if (words === undefined) return <span dir="ltr">{id}</span>;
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
