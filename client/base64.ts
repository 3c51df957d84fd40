/**
 * Decodes base64 (RFC 4648 section 4); undefined unless canonical, with its padding and zeros in the unused bits. So
 * one content has one spelling alone.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text);
    if (btoa(binary) !== text) return undefined;
    return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Decodes base64url without padding (RFC 7515 section 2); undefined unless canonical. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined;
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  return decodeBase64(standard.padEnd(Math.ceil(text.length / 4) * 4, '='));
}

/** Encodes base64url without padding (RFC 7515 section 2). */
export function encodeBase64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
