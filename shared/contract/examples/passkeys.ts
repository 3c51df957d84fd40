import { display_name, ids, times } from './data.ts';

/** What a browser and the service say to one another about a passkey, in the examples of the routes. */

const credential_id = 'AQIDBAUGBwgJCgsMDQ4PEA';
const challenge = 'kQ0Zb1n9X2c4V6b8N0m2Q4w6E8r0T2y4U6i8O0p2A4s';
const clientDataJSON = Buffer.from(
  JSON.stringify({ type: 'webauthn.get', challenge, origin: 'https://app.example.com' }),
).toString('base64url');
const common = { id: credential_id, rawId: credential_id, type: 'public-key' };

export const passkey = {
  passkey_id: '6Zk3b0Zb0l0cTq3b2pH7mC1m5yqf2o8cVw1xQz9u7aE',
  name: 'Phone',
  created_at: times.created_at,
  last_used_at: '2026-11-21T09:00:00.000Z',
  backed_up: true,
  transports: ['internal', 'hybrid'],
};

export const creationOptions = {
  rp: { id: 'example.com', name: 'Demo' },
  user: { id: 'AZLwwXwefMKwrCobj29aAQ', name: 'ada@example.com', displayName: display_name },
  challenge,
  pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
  timeout: 300_000,
  excludeCredentials: [],
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
  attestation: 'none',
};

export const requestOptions = {
  rpId: 'example.com',
  challenge,
  timeout: 300_000,
  userVerification: 'required',
};

export const attestation = {
  ...common,
  response: {
    clientDataJSON: clientDataJSON.replace('Z2V0', 'Y3JlYXRl'),
    attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg',
    transports: ['internal', 'hybrid'],
  },
};

export const assertion = {
  ...common,
  response: {
    clientDataJSON,
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
    signature: 'MEUCIQCdJr0hWcQ3pG3u1pVt2wS7E2v0',
    userHandle: Buffer.from(ids.ada.replaceAll('-', ''), 'hex').toString('base64url'),
  },
};
