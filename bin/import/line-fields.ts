import type { Person, WorkspaceRow } from './workspace-row.ts';

/** The part of a line that a request concerns, and the line's field for each field of the request. */
export type Subject = { what: string; fieldOf: (field: string) => string };

/** The workspace itself. */
export const ofWorkspace = ({ named }: Pick<WorkspaceRow, 'named'>): Subject => ({
  what: 'workspace',
  fieldOf(field) {
    const [first = '', ...others] = field.split('/');
    return [named[first] ?? first, ...others].join('/');
  },
});

/** A custom role. */
export const ofRole = (i: number): Subject => ({
  what: `roles/${i}`,
  fieldOf: (field) => `roles/${i}/${field}`,
});

/** A member. */
export const ofMember = (i: number, { field: name }: Person): Subject => ({
  what: `members/${i}`,
  fieldOf: (field) => `members/${i}/${field === 'user_id' ? name : field}`,
});

type Domains = WorkspaceRow['domains'];

/** The domains whose users join without approval. */
export const ofAutoDomains = ({ auto, all }: Domains): Subject => ({
  what: 'allowed_domains',
  fieldOf(field) {
    const domain = auto[Number(field.split('/')[1])];
    return domain === undefined ? 'allowed_domains' : `allowed_domains/${all.indexOf(domain)}`;
  },
});

/** A domain whose users may ask to join. */
export function ofDomain(domain: string, { all }: Domains): Subject {
  const what = `allowed_domains/${all.indexOf(domain)}`;
  return { what, fieldOf: () => what };
}
