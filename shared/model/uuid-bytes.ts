/**
 * The 16 bytes of a UUID of whatever version, and back: a backend may have chosen a uid of a form that RFC 9562 does
 * not define.
 */
export const bytesOfUuid = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

export const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
