import type { Opened } from './browser.ts';

/** Adds a virtual authenticator with user verification to the page. */
export async function withAuthenticator({ context, page }: Opened) {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = {
    ...{ protocol: 'ctap2' as const, transport: 'internal' as const },
    ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    automaticPresenceSimulation: true,
  };
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options });
  return {
    credentials: async () =>
      (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    verifies: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    /**
     * Whether the virtual user picks a passkey at the next requests, by a button or by autofill. A pending request
     * stays pending.
     */
    picks: (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  };
}
