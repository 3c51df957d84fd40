/** What the soak reads in an access token; whether it is genuine is the service's business. */
export function claimsOf(token: string): { sid: string; sub: string } {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
  return JSON.parse(payload) as { sid: string; sub: string };
}
