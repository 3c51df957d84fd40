/** A remark about users of a run: how many it applies to, and their first lines. */
export type Remarks = Record<string, { count: number; lines: number[] }>;

/** Maximum listed lines, because a long file may have one for each user. */
const named = 10;
const account = 'account at ';
/** About a user whose only sign-in method is `POST /sessions` of the backend. */
export const noSignIn = 'no sign-in';

/** About a user's account at a provider that is not in `--providers`. */
export const leftOut = (provider: string): string => `${account}${provider}`;

export function addRemark(remarks: Remarks, remark: string, line: number): void {
  const { count, lines } = remarks[remark] ?? { count: 0, lines: [] };
  const isNamed = lines.length < named && lines.at(-1) !== line;
  remarks[remark] = { count: count + 1, lines: isNamed ? [...lines, line] : lines };
}

/** Remarks at the end of a run about the users that it imported or found. */
export function sentencesOf(remarks: Remarks): string[] {
  const accounts = Object.entries(remarks).flatMap(([remark, { count }]) =>
    remark.startsWith(account) ? [{ provider: remark.slice(account.length), count }] : [],
  );
  const list = accounts.map(({ provider, count }) => `${count} at ${provider}`).join(', ');
  const flag = accounts.map(({ provider }) => provider).join(',');
  const { [noSignIn]: without } = remarks;
  return [
    ...(accounts.length > 0
      ? [
          `Left out, accounts at identity providers: ${list}. Pass --providers ${flag}, of these the ones that the project has, to import users with them; users who exist are not changed.`,
        ]
      : []),
    ...(without
      ? [
          `Users whom only your backend can sign in, because they have neither an e-mail nor an imported account at a provider: ${without.count} (${linesOf(without)}).`,
        ]
      : []),
  ];
}

function linesOf({ count, lines }: Remarks[string]): string {
  const more = count > lines.length ? ` and ${count - lines.length} more` : '';
  return `${count === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`;
}
