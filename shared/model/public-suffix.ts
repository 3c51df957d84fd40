/**
 * Whether the host name is, or is under, a registrable domain: whether it is more than a public suffix. An unknown
 * top-level domain counts as a suffix, as in the list's own algorithm, so new ones work at once. `privateSuffixes`:
 * also treat suffixes of companies that give names to others, such as github.io, as public suffixes.
 */
export async function isRegistrable(
  host: string,
  { privateSuffixes }: { privateSuffixes: boolean },
): Promise<boolean> {
  // The public suffix list is 130 KB of code: a separate chunk, loaded on first use.
  const { parse } = await import('tldts');
  const options = { allowPrivateDomains: privateSuffixes, validateHostname: false };
  const { domain, isIp } = parse(host.toLowerCase(), options);
  return domain !== null && isIp === false;
}
