import { expect, test } from 'vitest';
import { renderMail } from '#shared/mail/render.ts';
import type { MailContent } from '#shared/mail/templates.ts';

const advice =
  'If this was not you, someone knows your password, reads your mail or uses one of your devices. Set a new password at once, with “forgotten password” on the sign-in page: that ends every session. If you have no password, secure your mailbox and end your sessions in your account.';
const support =
  'If this was not you, someone else may be using your account: contact the support of Acme at once.';

/** Notices whose text depends on more than the event, with the distinguishing words of the German text. */
const notices: [MailContent, string, string[], german: RegExp][] = [
  [
    { template: 'recovery_code_required', product: 'Acme' },
    'Too many wrong codes for Acme',
    [
      'Too many wrong codes',
      'Someone has entered too many wrong codes in a row for your account with Acme. The codes of your authenticator app are refused until you enter one of your recovery codes. If you have none left, contact the support of Acme.',
      advice,
    ],
    /werden abgelehnt, bis Sie einen Ihrer Wiederherstellungscodes eingeben/,
  ],
  [
    { template: 'recovery_code_used', product: 'Acme' },
    'A recovery code for Acme was used',
    [
      'A recovery code was used',
      'Someone used one of your recovery codes for Acme, which no longer works. Replace them when few are left.',
      'If this was not you, someone else may be using your account: replace your recovery codes, and contact the support of Acme at once.',
    ],
    /Jemand hat einen Ihrer Wiederherstellungscodes für Acme benutzt/,
  ],
  [
    { template: 'factor_removed', product: 'Acme' },
    'Two-step sign-in for Acme is off',
    [
      'Two-step sign-in is off',
      'The authenticator app and the recovery codes of your account were removed. Acme no longer asks for a code when you sign in.',
      support,
    ],
    /fragt Acme nicht mehr nach einem Code/,
  ],
  [
    { template: 'required_factor_removed', product: 'Acme' },
    'Your authenticator app for Acme was removed',
    [
      'Your authenticator app was removed',
      'The authenticator app and the recovery codes of your account were removed. As Acme requires a second factor, you add an app again when you next sign in, unless you do so with a passkey.',
      support,
    ],
    /Weil Acme einen zweiten Faktor verlangt/,
  ],
  [
    {
      template: 'new_device_without_password',
      product: 'Acme',
      user_agent: 'x (iPhone)',
      network: '192.0.2.0/24',
      at: new Date('2026-03-01T09:05:59Z'),
    },
    'New sign-in to Acme',
    [
      'A new device signed in',
      'There was a sign-in to your account with Acme from a program on an iPhone, network 192.\u200c0.\u200c2.\u200c0/\u200c24, on 1 March 2026 at 09:05 UTC. It is the first one from this device or place.',
      'If this was you, there is nothing to do. If it was not, end every session in your account at once, and secure your mailbox and each account that you sign in with.',
    ],
    /beenden Sie sofort alle Sitzungen in Ihrem Konto/,
  ],
];

test.each(notices)('$template', (letter, subject, paragraphs, german) => {
  const mail = renderMail(letter, 'en');
  expect(mail.subject).toBe(subject);
  expect(mail.text).toBe(`${paragraphs.join('\n\n')}\n`);
  const { text, html } = renderMail(letter, 'de');
  expect(text).toMatch(german);
  expect(`${text}${html}`).not.toMatch(/\{\w+\}|undefined/);
});
