/**
 * Whether someone can have registered the host name, or one that it is under: whether it is more than a public suffix.
 * A top-level domain that the list does not know counts as a suffix, as the list's own algorithm says, so a new one
 * works at once. `privateSuffixes`: also those under which a company lets others have names, such as github.io.
 */
export async function isRegistrable(
  host: string,
  { privateSuffixes }: { privateSuffixes: boolean },
): Promise<boolean> {
  // The public suffix list is 130 KB of code: a chunk of its own, loaded by the first function that needs it.
  const { parse } = await import('tldts');
  const options = { allowPrivateDomains: privateSuffixes, validateHostname: false };
  const { domain, isIp } = parse(host.toLowerCase(), options);
  return domain !== null && isIp === false;
}
