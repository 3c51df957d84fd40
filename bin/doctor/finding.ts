import { messageOf } from '../../shared/model/message-of.ts';

/** The result of one check. `note`: it works, but the operator should know. */
export type Finding = {
  check: string;
  status: 'ok' | 'note' | 'wrong';
  text: string;
  /** Commands or instructions that fix it. */
  fix?: string[];
};

export const ok = (check: string, text: string): Finding => ({ check, status: 'ok', text });
export const note = (check: string, text: string, ...fix: string[]): Finding => ({
  check,
  status: 'note',
  text,
  fix,
});
export const wrong = (check: string, text: string, ...fix: string[]): Finding => ({
  check,
  status: 'wrong',
  text,
  fix,
});

/** Runs a check. If the check itself fails, such as for a missing permission, that is the finding. */
export async function attempt(
  check: string,
  work: () => Promise<Finding | Finding[]>,
): Promise<Finding[]> {
  try {
    return [await work()].flat();
  } catch (error) {
    const { name } = error instanceof Error ? error : { name: 'Error' };
    return [wrong(check, `The check failed. ${name}: ${messageOf(error)}`)];
  }
}

/** The findings as text; the last line has their counts. */
export function report(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, status, text, fix = [] }) => [
    `${status.padEnd(5)}  ${check.padEnd(width)}  ${text}`,
    ...fix.map((line) => `${' '.repeat(9 + width)}  ${line}`),
  ]);
  const count = (status: Finding['status']) =>
    findings.filter((finding) => finding.status === status).length;
  return [
    ...lines,
    '',
    `${count('ok')} ok, ${count('note')} to note, ${count('wrong')} wrong`,
  ].join('\n');
}
