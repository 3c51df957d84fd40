import type { Opened } from './browser.ts';

/** Gives a window an authenticator of Chromium's own that verifies its user, and says what it holds. */
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
     * Whether its user picks a passkey wherever one is asked for from now on, by a button or in the autofill of a
     * field. What waits for a passkey already goes on waiting.
     */
    picks: (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  };
}
