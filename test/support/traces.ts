import { createHash } from 'node:crypto';

/**
 * The base64 characters that depend only on these bytes, for each offset at which the bytes may begin in a longer text.
 */
function base64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const whole = Math.floor(((before + bytes.length) * 8) / 6);
    return text.slice(Math.ceil((before * 8) / 6), whole);
  });
}

const asJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** The forms in which a text may leak: as it is, escaped, or encoded at any offset. */
export function formsOf(secret: string): Map<string, string> {
  const bytes = Buffer.from(secret);
  const forms = new Map([
    ['as it is', secret],
    ['as JSON', asJson(secret)],
    ['as JSON within JSON', asJson(asJson(secret))],
    ['as HTML', secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')],
    ['percent-encoded', encodeURIComponent(secret)],
    ['as a form', new URLSearchParams({ x: secret }).toString().slice(2)],
    ['in hex', bytes.toString('hex')],
    ['in HEX', bytes.toString('hex').toUpperCase()],
  ]);
  // A short number with its quotes: the digits alone occur within the times of a token.
  const encoded = isShortNumber(secret) ? Buffer.from(`"${secret}"`) : bytes;
  for (const [offset, core] of base64Cores(encoded).entries()) {
    forms.set(`in base64 after ${offset}`, core);
    forms.set(`in base64url after ${offset}`, core.replaceAll('+', '-').replaceAll('/', '_'));
  }
  // For base64url texts, such as a token of 256 bits, also the bytes that they encode.
  if (/^[\w-]{40,}$/.test(secret)) {
    const random = Buffer.from(secret, 'base64url');
    forms.set('its bytes in hex', random.toString('hex'));
    forms.set('its bytes in base64', random.toString('base64').replace(/=+$/, ''));
  }
  return forms;
}

/** Digests of a text chosen by a user, which can be guessed from the digest. */
export function digestsOf(secret: string): Map<string, string> {
  const forms = new Map<string, string>();
  for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512'])
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      forms.set(
        `its ${algorithm} in ${encoding}`,
        createHash(algorithm).update(secret).digest(encoding).replace(/=+$/, ''),
      );
  return forms;
}

/** A short number occurs within many others: it counts only if it stands alone. */
const isShortNumber = (text: string): boolean => /^\d{1,9}$/.test(text);

function occursIn(text: string, form: string): boolean {
  if (!isShortNumber(form)) return text.includes(form);
  return new RegExp(`(?<![\\w-]|\\d\\.)${form}(?![\\w-]|\\.\\d)`).test(text);
}

/** A secret to look for, and the one place that may contain it, once. */
export type Secret = { name: string; forms: ReadonlyMap<string, string>; bringer?: string };
/** The texts to search, by place. */
export type Places = Record<string, readonly string[]>;

/** The places where a secret occurs but must not. */
export function leaks(places: Places, secrets: readonly Secret[]): string[] {
  return Object.entries(places).flatMap(([place, parts]) =>
    secrets.flatMap(({ name, forms, bringer }) => {
      const found = parts.flatMap((part) => {
        const [form] = [...forms].find(([, text]) => occursIn(part, text)) ?? [];
        return form === undefined ? [] : [`${place}: ${name} ${form}: ${part.slice(0, 300)}`];
      });
      return place === bringer ? found.slice(1) : found;
    }),
  );
}
