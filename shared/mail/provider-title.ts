/** Providers that write themselves otherwise than with a capital at the beginning. */
const titles: Record<string, string> = { github: 'GitHub', gitlab: 'GitLab', linkedin: 'LinkedIn' };

/** What people call a provider that the project knows by this name, as on the hosted pages. */
export const providerTitle = (name: string): string =>
  Object.hasOwn(titles, name) ? `${titles[name]}` : name.charAt(0).toUpperCase() + name.slice(1);
