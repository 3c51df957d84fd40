import { createPasskey, getPasskey, supportsPasskeys } from '../client/passkeys.ts';
import { device } from './device.ts';
import { enter } from './enter.ts';
import { FieldError, isCode } from './failures.ts';
import { project } from './project.ts';
import { api } from './session.ts';
import { t } from './texts.ts';

/** Whether people of the project can sign in with a passkey in this browser. */
export const hasPasskeys = (): boolean => project.methods.passkey && supportsPasskeys();

type PickOptions = { autofill?: boolean; signal?: AbortSignal };

/** Asks the browser for a passkey. `until`: when the service takes it no more, in milliseconds since 1970. */
export async function pickPasskey(options: PickOptions = {}) {
  const { body } = await api.passkeys.startSignIn({ project_id: project.project_id });
  const until = Date.now() + body.publicKey.timeout;
  return { credential: await orFieldError(getPasskey(body.publicKey, options)), until };
}

type PickedPasskey = Awaited<ReturnType<typeof pickPasskey>>;

/** Sends a passkey that was picked to the service. That it is refused is said in words. */
export async function sendPasskey<T>(
  { credential, until }: PickedPasskey,
  sendIt: (credential: PickedPasskey['credential']) => Promise<T>,
): Promise<T> {
  try {
    return await sendIt(credential);
  } catch (error) {
    if (!isCode(error, 'invalid_credentials')) throw error;
    // Somebody may open the page and pick a passkey in the autofill after the challenge has expired.
    throw new FieldError('', t(Date.now() < until ? 'passkeyWrong' : 'passkeyNone'));
  }
}

/** Signs in with a passkey that was picked. */
export async function enterByPasskey(
  passkey: PickedPasskey,
  next: string | undefined,
): Promise<void> {
  const { project_id } = project;
  const { body } = await sendPasskey(passkey, (credential) =>
    api.passkeys.signIn({ project_id, credential, ...device.known() }),
  );
  await enter(body, next);
}

/** Asks the browser to make a passkey, and adds it to who is signed in. */
export async function addPasskey(name: string, current_password: string | undefined) {
  const { body } = await api.passkeys.startRegistration({ current_password });
  const credential = await orFieldError(createPasskey(body.publicKey));
  await api.passkeys.register({ credential, name });
}

/** What the browser was asked for. That it gives none, or has the passkey already, is said in words: no network failed. */
async function orFieldError<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    const isKnown = (error as Error).name === 'InvalidStateError';
    throw new FieldError('', t(isKnown ? 'passkeyKnown' : 'passkeyNone'));
  }
}
