import type { ClientRequest } from 'node:http';

/**
 * A header of a request, by its name in lower case. The transport of the table gives its headers as a list: those are in
 * no table of the request, only in the text that Node has made of them.
 */
export function sentHeader(request: ClientRequest, name: string): string | undefined {
  const set = request.getHeader(name);
  if (typeof set === 'string') return set;
  const { _header: text } = request as unknown as { _header: string | null };
  return new RegExp(`^${name}: (.*)$`, 'im').exec(text ?? '')?.[1]?.trim();
}
