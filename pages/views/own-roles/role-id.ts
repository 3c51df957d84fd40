/** Letters of a role's id after `ws-`; a hyphen and two digits still fit. */
const maxLetters = 26;

/** The id of a new role, which tokens and programs have for its name: its Latin letters and digits, and a number if that is taken. */
export function roleIdOf(name: string, existingIds: ReadonlySet<string>): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, maxLetters)
    .replace(/-$/, '');
  const first = `ws-${words || 'role'}`;
  let id = first;
  for (let number = 2; existingIds.has(id); number += 1) id = `${first}-${number}`;
  return id;
}
