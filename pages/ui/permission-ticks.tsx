type PermissionTicksProps = {
  legend: string;
  permissions: readonly string[];
  /** Those that are ticked at first. */
  ticked?: readonly string[];
};

const prefix = 'permission ';

/** A box to tick for each permission. */
export const PermissionTicks = ({ legend, permissions, ticked }: PermissionTicksProps) => (
  <fieldset class="ticks">
    <legend>{legend}</legend>
    {permissions.map((each) => (
      <label key={each}>
        <input type="checkbox" name={prefix + each} defaultChecked={ticked?.includes(each)} />
        <span dir="ltr">{each}</span>
      </label>
    ))}
  </fieldset>
);

/** The permissions that are ticked in a form. */
export const tickedIn = (values: Record<string, string>): string[] =>
  Object.keys(values).flatMap((name) =>
    name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
  );
