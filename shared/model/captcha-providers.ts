/** Whose captchas a project can show. */
export const captchaProviders = ['turnstile', 'hcaptcha', 'recaptcha'] as const;
