import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

export type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };

/** The services that are called without the SDK, by their names in hosts and signatures. */
export type Service = 'dynamodb' | 'secretsmanager';

/** What is signed of a request: always a POST to `/`. */
export type Signable = {
  host: string;
  /** Value of `x-amz-target`. */
  target: string;
  body: string | Uint8Array;
};

const sha256 = (data: string | Uint8Array) => hash('sha256', data, 'hex');
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest();

/**
 * Creates a signer of requests in AWS's JSON protocol by Signature Version 4. It signs the host, the date, the session
 * token and the target, which is less than the SDK signs and all that AWS asks for, and derives the key once a day.
 *
 * @returns the headers to add to the request
 */
export function createSigner(region: string, service: Service = 'dynamodb') {
  let keyFor = '';
  let key: KeyObject;

  /** The signing key of a day, as a `KeyObject`: HMAC with a Buffer takes three times as long. */
  function keyOf(day: string, { accessKeyId, secretAccessKey }: Credentials): KeyObject {
    const keySource = `${day} ${accessKeyId} ${secretAccessKey}`;
    if (keySource !== keyFor) {
      const dated = hmac(hmac(hmac(`AWS4${secretAccessKey}`, day), region), service);
      key = createSecretKey(hmac(dated, 'aws4_request'));
      keyFor = keySource;
    }
    return key;
  }

  return (
    { host, target, body }: Signable,
    credentials: Credentials,
    now: Date,
  ): Record<string, string> => {
    const { accessKeyId, sessionToken } = credentials;
    const time = now.toISOString().replaceAll(/[:-]|\.\d{3}/g, '');
    const day = time.slice(0, 8);
    const token = sessionToken === undefined ? '' : `x-amz-security-token:${sessionToken}\n`;
    const names = `host;x-amz-date;${token && 'x-amz-security-token;'}x-amz-target`;
    const headers = `host:${host}\nx-amz-date:${time}\n${token}x-amz-target:${target}\n`;
    const scope = `${day}/${region}/${service}/aws4_request`;
    const canonical = `POST\n/\n\n${headers}\n${names}\n${sha256(body)}`;
    const signature = createHmac('sha256', keyOf(day, credentials))
      .update(`AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`)
      .digest('hex');
    return {
      host,
      'x-amz-date': time,
      ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
    };
  };
}
