import { type ErrorCode, errorCodes } from '../model/error-codes.ts';
import { type ApiError } from '../model/errors.ts';

/** The errors of ours that RFC 6749 section 5.2 names too. */
const registered: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unsupported_grant_type',
  'invalid_scope',
];

/** `error` and `error_description` of a failure (RFC 6749 sections 4.1.2.1 and 5.2). */
export function oauthMembers({ code, detail, errors = [] }: ApiError): {
  error: string;
  error_description: string;
} {
  const fields = errors.map((each) => `; ${each.pointer}: ${each.detail}`).join('');
  return { error: errorOf(code), error_description: printable(`${detail}${fields}`) };
}

function errorOf(code: ErrorCode): string {
  if (registered.includes(code)) return code;
  const { status } = errorCodes[code];
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

/** The characters that RFC 6749 allows in a description: printable ASCII without quotation mark and backslash. */
const printable = (text: string): string =>
  text.replaceAll('"', "'").replaceAll(/[^\x20-\x7e]|\\/g, '?');
