import type { Language } from '../model/languages.ts';
import type en from './texts/en.json';

/** The content of a mail: its template, the product, and its values. `minutes` is the validity of its link or code. */
export type MailContent = { product: string } & (
  | {
      template:
        | 'sign_up'
        | 'account_exists'
        | 'reset_password'
        | 'verify_email'
        | 'change_email'
        | 'sign_in_link';
      link: string;
      minutes: number;
    }
  | {
      template: 'workspace_invitation';
      link: string;
      minutes: number;
      workspace: string;
      /** E-mail address; empty if no longer known. */
      inviter: string;
      message: string | undefined;
    }
  | { template: 'sign_in_code'; code: string; minutes: number }
  | { template: 'email_changed'; new_email: string }
  | { template: 'identity_linked' | 'identity_unlinked'; provider: string }
  | { template: 'passkey_added' | 'passkey_removed'; passkey: string }
  | {
      template:
        | 'factor_added'
        | 'factor_removed'
        | 'required_factor_removed'
        | 'factor_locked'
        | 'recovery_code_required'
        | 'recovery_codes_renewed'
        | 'recovery_code_used';
    }
  | { template: 'password_changed' | 'password_locked' }
  | {
      template: 'new_device' | 'new_device_without_password';
      user_agent: string;
      network: string;
      at: Date;
    }
  | { template: 'impersonated'; reason: string; at: Date }
  /** The link leads to the account, if the service has a page of it. */
  | { template: 'second_factor_required'; workspace: string; from: Date; link?: string }
);

type Template = {
  subject: string;
  /**
   * Preview text that mail programs show after the subject, if it is not `act_now`. Neither contains the code, because
   * both appear on locked phones and in logs.
   */
  preheader?: string;
  heading: string;
  body: string;
  /** Button label, if the heading is too long for a button. */
  button?: string;
  /** Advice for a recipient who did not request this mail. */
  otherwise: string;
};

/** The texts of all mails in one language. */
export type MailTexts = {
  words: typeof en.words;
  /** As they stand after "from". */
  devices: typeof en.devices;
  /**
   * No line starts with a name, because its first letter would set the direction of the whole line; an e-mail address
   * is ASCII.
   */
  templates: Record<MailContent['template'], Template>;
};

/** Loads the texts of one language: a mail has no use for the others. */
export async function loadMailTexts(language: Language): Promise<MailTexts> {
  const { default: texts } = await import(`./texts/${language}.json`, { with: { type: 'json' } });
  return texts;
}
