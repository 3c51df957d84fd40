/**
 * Makes a user-chosen name safe on one line: it cannot add a header, change the reading order, or contain an address
 * that a mail program turns into a link. The zero-width non-joiner breaks links: a host with it is invalid (UTS 46,
 * CheckJoiners), whereas browsers drop other invisible characters and open the host.
 */
export function neutralise(name: string): string {
  const line = name.replace(/[\p{Z}\p{C}]+/gu, (run) => (/[\p{Z}\p{Cc}]/u.test(run) ? ' ' : ''));
  const letters = Array.from(line.trim());
  const short = letters.length > 64 ? `${letters.slice(0, 63).join('').trimEnd()}…` : line.trim();
  return short.replace(/[.․。．｡:/\\@](?=\S)/g, '$&\u200c');
}

/** In quotes, which no quote of the text can end. */
const quoted = (text: string): string => `“${text.replace(/["“”„‟«»〝〞＂]/g, "'")}”`;

/** A user-chosen name in quotes; no quote in it can end them. */
export const inQuotes = (name: string): string => quoted(neutralise(name));

/** User-written text in quotes that nothing in it can end, without an address that a mail program turns into a link. */
export function neutraliseLines(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => {
    const plain = line.replace(/[\p{Z}\p{C}]+/gu, (run) => (/[\p{Z}\p{Cc}]/u.test(run) ? ' ' : ''));
    return plain.trim().replace(/[.․。．｡:/\\@](?=\S)/g, '$&\u200c');
  });
  return quoted(lines.filter((line) => line !== '').join(' '));
}

/**
 * A masked e-mail address, which only someone who knows it recognises: `a***@example.com`. Its domain does not become a
 * link.
 */
export function maskEmail(email: string): string {
  return `${email.slice(0, 1)}***@${neutralise(email.slice(email.lastIndexOf('@') + 1))}`;
}

const thisMachine = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Names below `localhost` lead to this machine too, and nowhere else (RFC 6761, section 6.3). */
const isThisMachine = (host: string) => thisMachine.has(host) || host.endsWith('.localhost');

/** The link in the ASCII form that browsers use, without a space, quote or line break that could end it early. */
export function safeLink(link: string): string {
  const { protocol, hostname, href } = new URL(link);
  const local = protocol === 'http:' && isThisMachine(hostname);
  if (protocol !== 'https:' && !local) throw new TypeError('A link in a mail must be https.');
  return href;
}

/**
 * A duration in words of the language, never more than it is: whole days from two days on, whole hours from two hours
 * on, else minutes, or one hour.
 */
export function duration(minutes: number, language: string): string {
  const [count, unit] =
    minutes >= 2_880
      ? [Math.floor(minutes / 1_440), 'day']
      : minutes >= 120 || minutes === 60
        ? [Math.floor(minutes / 60), 'hour']
        : [minutes, 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    count,
  );
}

/** Escapes text for HTML, as content and in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
