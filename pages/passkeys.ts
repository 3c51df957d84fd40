import { device } from './device.ts';
import { createPasskey, getPasskey, supportsPasskeys } from '../client/passkeys.ts';
import { FieldError } from './failures.ts';
import { project } from './project.ts';
import { enter } from './enter.ts';
import { api } from './session.ts';
import { t } from './texts.ts';

/** Whether people of the project can sign in with a passkey in this browser. */
export const hasPasskeys = (): boolean => project.methods.passkey && supportsPasskeys();

type How = { autofill?: boolean; signal?: AbortSignal };

/** Asks the browser for a passkey. */
export async function pickPasskey(how: How = {}) {
  const { body: options } = await api.passkeys.startSignIn({ project_id: project.project_id });
  return asked(getPasskey(options.publicKey, how));
}

/** Asks the browser for a passkey and signs in with it. */
export async function enterByPasskey(next: string | undefined, how: How = {}): Promise<void> {
  const { project_id } = project;
  const credential = await pickPasskey(how);
  const { body } = await api.passkeys.signIn({ project_id, credential, ...device.known() });
  await enter(body, next);
}

/** Asks the browser to make a passkey, and adds it to who is signed in. */
export async function addPasskey(name: string, current_password: string | undefined) {
  const { body } = await api.passkeys.startRegistration({ current_password });
  const credential = await asked(createPasskey(body.publicKey));
  await api.passkeys.register({ credential, name });
}

/** What the browser was asked for. That somebody picked nothing, or has the passkey already, is said in words. */
async function asked<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    const { name } = error as Error;
    if (name === 'NotAllowedError') throw new FieldError('', t('passkeyNone'));
    if (name === 'InvalidStateError') throw new FieldError('', t('passkeyKnown'));
    throw error;
  }
}
