import { FieldError } from '../failures.ts';
import { project } from '../project.ts';
import { t } from '../texts.ts';
import { Tick } from './form.tsx';

/** Asks for agreement to the terms, if the project has any. */
export function Terms() {
  if (!project.branding?.links?.terms) return null;
  return (
    <Tick name="terms">
      {t('agree')} <TermsLinks />
    </Tick>
  );
}

/** Links to the terms and to what else somebody agrees to. */
export function TermsLinks() {
  const { terms = '', privacy } = project.branding?.links ?? {};
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
  return { agreed_terms: { tos: true as const, sign_up: true as const } };
}
