import { titleOf } from '../client/providers/title.ts';
import { device } from './device.ts';
import { enter } from './enter.ts';
import { FieldError, isCode } from './failures.ts';
import type { ProviderAnswer } from './identity-provider.ts';
import { project } from './project.ts';
import { api } from './session.ts';
import { t } from './texts.ts';
import { acceptedTerms } from './ui/terms.tsx';

/** Signs in with what the provider has answered. */
export async function enterByProvider(answer: ProviderAnswer): Promise<void> {
  const { provider, id_token, code, verifier = '', state: nonce, next } = answer;
  const { project_id } = project;
  const extraFields = { ...acceptedTerms(), ...device.known() };
  const signIn = () => {
    if (code !== undefined)
      return api.providers.signIn({ project_id, code, code_verifier: verifier, ...extraFields });
    if (id_token === undefined) throw refusalOf(provider);
    return api.identities.signIn({ project_id, provider, id_token, nonce, ...extraFields });
  };
  const { body } = await signIn().catch((error: unknown) => {
    if (isCode(error, 'identity_link_required')) throw new FieldError('', t('error.email_taken'));
    // The token is no good, or its e-mail is not verified: the reasons are for the developer.
    throw isCode(error, 'identity_token_invalid', 'identity_conflict')
      ? refusalOf(provider)
      : error;
  });
  await enter(body, next);
}

const refusalOf = (provider: string) =>
  new FieldError('', t('providerRefused', { provider: titleOf(provider) }));
