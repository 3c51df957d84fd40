import { FieldError } from '../failures.ts';
import { project } from '../project.ts';
import { t } from '../texts.ts';
import { Tick } from './form.tsx';

/** Asks for agreement to the terms, if the project has any. */
export function Terms() {
  if (!project.branding?.links?.terms) return null;
  return (
    <Tick name="terms">
      {t('agree')} <Links />
    </Tick>
  );
}

/** Says what somebody new accepts by going on, where a sign-in may create an account. */
export function StatedTerms() {
  if (!project.branding?.links?.terms) return null;
  return (
    <p>
      <small>
        {t('continueAccepts')} <Links />
      </small>
    </p>
  );
}

function Links() {
  const { terms, privacy } = project.branding?.links ?? {};
  if (!terms) return null;
  return (
    <>
      <a href={terms} target="_blank" rel="noopener">
        {t('terms')}
      </a>
      {privacy && (
        <>
          {', '}
          <a href={privacy} target="_blank" rel="noopener">
            {t('privacy')}
          </a>
        </>
      )}
    </>
  );
}

/** What somebody has agreed to in a form with `Terms`. */
export function agreedTerms(values: Record<string, string>) {
  if (!project.branding?.links?.terms) return {};
  if (values['terms'] === undefined) throw new FieldError('terms', t('agreeFirst'));
  return acceptedTerms();
}

/** What somebody new accepts with `StatedTerms`. The service keeps it for a new account alone. */
export function acceptedTerms() {
  if (!project.branding?.links?.terms) return {};
  return { agreed_terms: { tos: true as const, sign_up: true as const } };
}
