/** About users of a run that it imported or found: what the end of the run says of them. Stored in its checkpoints. */
export type Remarks = {
  /** How many accounts each provider has that is not in `--providers`. */
  leftOut: [provider: string, count: number][];
  /** How many users only `POST /sessions` of the backend can sign in, and their first lines. */
  noSignIn: { count: number; lines: number[] };
};

/** About one user: an account at a provider that is left out, or no sign-in method but the backend. */
export type Remark = { leftOut: string } | 'no sign-in';

/** Maximum listed lines, because a long file may have one for each user. */
const named = 10;

export const noRemarks: Remarks = { leftOut: [], noSignIn: { count: 0, lines: [] } };

export function withRemark(
  { leftOut, noSignIn: { count, lines } }: Remarks,
  remark: Remark,
  line: number,
): Remarks {
  if (remark === 'no sign-in') {
    // A file without line breaks has all users on one line.
    const isNamed = lines.length < named && lines.at(-1) !== line;
    return { leftOut, noSignIn: { count: count + 1, lines: isNamed ? [...lines, line] : lines } };
  }
  const counts = new Map(leftOut);
  counts.set(remark.leftOut, (counts.get(remark.leftOut) ?? 0) + 1);
  return { leftOut: [...counts], noSignIn: { count, lines } };
}

/** Whether these are of a checkpoint of an earlier version, which kept the sentences instead of the providers. */
export const isOfEarlierVersion = (remarks: object): boolean => !('leftOut' in remarks);

/** Remarks at the end of a run. */
export function sentencesOf({ leftOut, noSignIn }: Remarks): string[] {
  const list = leftOut.map(([provider, count]) => `${count} at ${provider}`).join(', ');
  const flag = leftOut.map(([provider]) => provider).join(',');
  return [
    ...(leftOut.length > 0
      ? [
          `Left out, accounts at identity providers: ${list}. Pass --providers ${flag}, of these the ones that the project has, to import users with them; users who exist are not changed.`,
        ]
      : []),
    ...(noSignIn.count > 0
      ? [
          `Users whom only your backend can sign in, because they have neither an e-mail nor an imported account at a provider: ${noSignIn.count} (${linesOf(noSignIn)}).`,
        ]
      : []),
  ];
}

function linesOf({ count, lines }: Remarks['noSignIn']): string {
  const more = count > lines.length ? ` and ${count - lines.length} more` : '';
  return `${count === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`;
}
