/**
 * Reads an Authorization header (RFC 9110 section 11.6.2): the scheme in lower case, and its credential. Undefined for
 * one of another form or of more than `maxLength` characters, which is not read.
 */
export function readAuthorization(
  header: string | undefined,
  maxLength: number,
): { scheme: string; credential: string } | undefined {
  // API Gateway joins repeated headers with a comma, which no valid credential contains.
  if (header === undefined || header.length > maxLength || header.includes(',')) return undefined;
  const [scheme, credential, ...rest] = header.split(/ +/);
  return scheme && credential && rest.length === 0
    ? { scheme: scheme.toLowerCase(), credential }
    : undefined;
}

/** Reads a Basic credential (RFC 7617): base64 of an id, a colon and a secret, in UTF-8. Undefined for another text. */
export function readBasic(credential: string): { id: string; secret: string } | undefined {
  const bytes = Buffer.from(credential, 'base64');
  const padded = bytes.toString('base64');
  // One text for one credential: Node's decoder skips what is not base64.
  if (credential !== padded && credential !== padded.replace(/=+$/, '')) return undefined;
  const text = bytes.toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}
