/** A whole response, and whether another request may follow it on its connection. */
export type Whole = {
  statusCode: number;
  /** By their names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
  keepsOpen: boolean;
};

type Head = Pick<Whole, 'statusCode' | 'headers' | 'keepsOpen'> & {
  /** Bytes of the body; `chunks` that each tell their length; or all until the connection ends. */
  length: number | 'chunks' | 'until the end';
};

/** A body, and whether nothing was received after it. */
type Body = { body: Buffer; isExact: boolean };

/** Bytes of a status line with its headers. Node's own client takes no more. */
const maxHead = 16_384;
const endOfHead = '\r\n\r\n';

/** Reads one response of HTTP/1.1 (RFC 9112) to a POST. Throws an error with the code EPROTO for anything else. */
export function createResponseReader() {
  let head: Head | undefined;
  /** What was received, without what was parsed. */
  let received: Buffer[] = [];
  let size = 0;

  const joined = (): Buffer => {
    if (received.length !== 1) received = [Buffer.concat(received)];
    return received[0] as Buffer;
  };

  function parseHead(): void {
    const bytes = joined();
    const end = bytes.indexOf(endOfHead);
    if (end < 0 ? size > maxHead : end > maxHead) throw malformed('Its headers are too long.');
    if (end < 0) return;
    const rest = bytes.subarray(end + endOfHead.length);
    received = [rest];
    size = rest.length;
    head = headOf(bytes.toString('latin1', 0, end));
    // Only the final response counts, not an interim one.
    if (head.statusCode >= 200) return;
    head = undefined;
    parseHead();
  }

  /** The body, as far as it tells its length; undefined as long as it is not whole. */
  function bodyOf({ length }: Head): Body | undefined {
    if (length === 'until the end') return undefined;
    if (length === 'chunks') return joinChunks(joined());
    if (size < length) return undefined;
    return { body: joined().subarray(0, length), isExact: size === length };
  }

  function whole(body: Body | undefined): Whole | undefined {
    if (!head || !body) return undefined;
    const { statusCode, headers, keepsOpen } = head;
    return { statusCode, headers, body: body.body, keepsOpen: keepsOpen && body.isExact };
  }

  return {
    /** Takes what was received; returns the response once it is whole. */
    read(bytes: Buffer): Whole | undefined {
      received.push(bytes);
      size += bytes.length;
      if (!head) parseHead();
      return head && whole(bodyOf(head));
    },
    /** The response that ends with its connection, if it is one. */
    end: (): Whole | undefined =>
      head?.length === 'until the end' ? whole({ body: joined(), isExact: true }) : undefined,
  };
}

function headOf(text: string): Head {
  const [statusLine = '', ...lines] = text.split('\r\n');
  const [, minor, status] = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(statusLine) ?? [];
  if (!minor) throw malformed('It does not begin with the version and a status.');
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) throw malformed('A header has no name.');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  // These two have no body, whatever their headers say.
  const length = status === '204' || status === '304' ? 0 : lengthOf(headers);
  const keepsOpen =
    minor === '1' && length !== 'until the end' && !/\bclose\b/i.test(headers['connection'] ?? '');
  return { statusCode: Number(status), headers, keepsOpen, length };
}

function lengthOf(headers: Record<string, string>): Head['length'] {
  const { 'transfer-encoding': encoding, 'content-length': length } = headers;
  if (encoding?.toLowerCase() === 'chunked') return 'chunks';
  if (encoding !== undefined) throw malformed('Its encoding is none that was asked for.');
  if (length === undefined) return 'until the end';
  if (!/^\d+$/.test(length)) throw malformed('Its length is no number.');
  return Number(length);
}

/** The body of chunks; undefined as long as not all have come. Extensions and trailers are passed over. */
function joinChunks(bytes: Buffer): Body | undefined {
  const contents: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const [, digits] =
      /^([\da-f]{1,8})(?:[ \t]*;.*)?$/i.exec(bytes.toString('latin1', at, end)) ?? [];
    if (!digits) throw malformed('A chunk has no length.');
    const length = Number.parseInt(digits, 16);
    const begin = end + 2;
    if (length === 0) {
      // The last one has a blank line after it, and trailers before that.
      const last = bytes.indexOf(endOfHead, end);
      const isExact = last + endOfHead.length === bytes.length;
      return last < 0 ? undefined : { body: Buffer.concat(contents), isExact };
    }
    at = begin + length + 2;
    if (bytes.length < at) return undefined;
    if (bytes.indexOf('\r\n', at - 2) !== at - 2)
      throw malformed('A chunk is longer than it says.');
    contents.push(bytes.subarray(begin, at - 2));
  }
}

const malformed = (why: string) =>
  Object.assign(new Error(`The response is not HTTP/1.1. ${why}`), { code: 'EPROTO' });
