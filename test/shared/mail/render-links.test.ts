import { describe, expect, test } from 'vitest';
import { renderMail } from '#shared/mail/render.ts';
import type { MailContent } from '#shared/mail/templates.ts';

const render = (letter: MailContent) => renderMail(letter, 'en');
const linked = { product: 'Acme', minutes: 60 };

describe('a link', () => {
  test('is a single ASCII word, whatever it contains', async () => {
    const hostile = 'https://bücher.test/a b\r\nBcc: x"><script>\u202E#token=1';
    const mail = await render({ template: 'sign_up', ...linked, link: hostile });
    const href = 'https://xn--bcher-kva.test/a%20bBcc:%20x%22%3E%3Cscript%3E%E2%80%AE#token=1';
    expect(mail.text.split('\n\n')[2]).toBe(href);
    expect(mail.html).toContain(`href="${href}"`);
  });

  test.each([
    'http://localhost:5173/welcome#token=1',
    'http://pages.localhost:3000/welcome#token=1',
  ])('may lead to a page on localhost: %s', async (local) => {
    const { text } = await render({ template: 'sign_up', ...linked, link: local });
    expect(text).toContain(local);
  });

  test.each([
    'javascript:alert(1)',
    'http://app.acme.test/',
    'http://localhost.acme.test/',
    'http://acmelocalhost/',
    'data:text/html,x',
    '/in',
    '',
  ])('%j is refused', async (other) => {
    const letter: MailContent = { template: 'sign_up', ...linked, link: other };
    await expect(render(letter)).rejects.toThrow(TypeError);
  });
});
