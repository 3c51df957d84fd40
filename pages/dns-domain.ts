/** A domain as DNS has it, `xn--bcher-kva.example`: the only form that the service takes. Anything else as it is. */
export const dnsDomain = (text: string): string =>
  /[@:/\\?#]/.test(text)
    ? text
    : Object.assign(document.createElement('a'), { href: `//${text}` }).hostname || text;

/** An address with such a domain. Of the browsers only some do so themselves. */
export const withDnsDomain = (email: string): string => email.replace(/[^@]+$/, dnsDomain);
