/** Providers that write themselves otherwise than with a capital at the beginning. */
const titles: Record<string, string> = { github: 'GitHub', gitlab: 'GitLab', linkedin: 'LinkedIn' };

/** A provider by its name in the project, and as people know it. */
export type OfferedProvider = { name: string; title: string };

/** What people call a provider that the project knows by this name. */
export const titleOf = (name: string): string =>
  Object.hasOwn(titles, name) ? `${titles[name]}` : name.charAt(0).toUpperCase() + name.slice(1);

/** A provider that may have a title of its own. */
export const titled = (provider: string | OfferedProvider): OfferedProvider =>
  typeof provider === 'string' ? { name: provider, title: titleOf(provider) } : provider;
