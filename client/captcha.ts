import { renderCaptcha } from './captcha/widget.ts';
import type { AskedCaptcha } from './captcha/with-captcha.ts';

export type { AskedCaptcha, SolveCaptcha } from './captcha/with-captcha.ts';

/** The words of the dialog. */
export type CaptchaWords = { title: string; failed: string; again: string; cancel: string };

const defaultWords = {
  en: {
    title: 'Show that you are a person',
    failed: 'The check could not be loaded.',
    again: 'Try again',
    cancel: 'Cancel',
  },
  de: {
    title: 'Bestätigen Sie, dass Sie ein Mensch sind',
    failed: 'Die Prüfung konnte nicht geladen werden.',
    again: 'Noch einmal versuchen',
    cancel: 'Abbrechen',
  },
};

/** Words for `showCaptcha`: only a page that imports them has them. */
export const frenchCaptcha: CaptchaWords = {
  title: 'Confirmez que vous n’êtes pas un robot',
  failed: 'La vérification n’a pas pu être chargée.',
  again: 'Réessayer',
  cancel: 'Annuler',
};
export const spanishCaptcha: CaptchaWords = {
  title: 'Confirma que eres una persona',
  failed: 'No se pudo cargar la comprobación.',
  again: 'Reintentar',
  cancel: 'Cancelar',
};

/** The parts of a page that are used: its types are not there in every compilation. */
type Element = {
  textContent: string;
  hidden: boolean;
  type: string;
  tabIndex: number;
  clientWidth: number;
  style: Record<string, string>;
  append(...children: Element[]): void;
  replaceChildren(...children: Element[]): void;
  setAttribute(name: string, value: string): void;
  addEventListener(type: string, listener: () => void): void;
  remove(): void;
  focus(): void;
};
type Dialog = Element & { show(): void; showModal(): void; close(): void };
type Document = {
  documentElement: { lang: string };
  body: Element;
  activeElement: Element | null;
  querySelector(selector: string): Element | null;
  createElement(name: string): Element;
};
type BrowserPage = {
  document: Document;
  navigator: { language: string };
  addEventListener(
    type: 'keydown' | 'popstate',
    listener: (event: { key?: string }) => void,
    options: { signal: AbortSignal },
  ): void;
};
const page = globalThis as unknown as BrowserPage;

/** The dialogs that are open, in the order in which they were opened. */
const openDialogs = new Set<Dialog>();

/** The look of the dialog. By the CSSOM, which no Content-Security-Policy refuses. */
const dialogStyle = {
  boxSizing: 'border-box',
  width: 'min(400px, calc(100% - 32px))',
  maxWidth: 'none',
  // On a narrow window as little as leaves room for the widget.
  padding: 'clamp(12px, calc((100vw - 362px) / 2), 24px)',
  border: '1px solid #767676',
  borderRadius: '12px',
  font: '16px/1.4 system-ui, sans-serif',
};

/**
 * The cover under the dialog of hCaptcha and reCAPTCHA. Both append their challenge to the page itself, where a modal
 * dialog would cover it and make it inert. So their dialog is not modal, and is below their challenges, which have the
 * z-index 2000000000.
 */
const coverStyle = {
  position: 'fixed',
  inset: '0',
  zIndex: '1999999999',
  display: 'grid',
  placeItems: 'center',
  overflow: 'auto',
  background: 'rgb(0 0 0 / 55%)',
};

/**
 * Has a person solve a captcha in a dialog: give it as `captcha` to `createAuth`, `createCookieAuth` and `createLinks`.
 * In English or German as the page is, or in `words`; light or dark as the page is. Resolves with the token; undefined: they have closed it or
 * gone back to another view.
 * @param words of another language: `frenchCaptcha`, `spanishCaptcha` or your own
 * @throws Error if a modal dialog of the page would cover the challenge of hCaptcha or reCAPTCHA
 */
export function showCaptcha(
  captcha: AskedCaptcha,
  words?: CaptchaWords,
): Promise<string | undefined> {
  const { document, navigator } = page;
  const language = document.documentElement.lang || navigator.language;
  const { title, failed, again, cancel } =
    words ?? (/^de\b/i.test(language) ? defaultWords.de : defaultWords.en);
  const make = (name: string, text = '', style: Record<string, string> = {}): Element => {
    const element = document.createElement(name);
    element.textContent = text;
    Object.assign(element.style, style);
    return element;
  };
  const button = (text: string, onClick: () => void): Element => {
    const element = make('button', text, {
      font: 'inherit',
      padding: '8px 12px',
      marginInlineEnd: '8px',
    });
    element.type = 'button';
    element.addEventListener('click', onClick);
    return element;
  };
  const isModal = captcha.provider === 'turnstile';
  if (!isModal && document.querySelector('dialog:modal')) {
    const error = new Error(
      'A modal dialog would cover this captcha: open yours with show(), or use Turnstile.',
    );
    // Components show their own words instead.
    console.error(error);
    return Promise.reject(error);
  }
  const dialog = make('dialog', '', dialogStyle) as Dialog;
  const root = isModal ? dialog : make('div', '', coverStyle);
  if (!isModal) {
    dialog.style['position'] = 'static';
    root.append(dialog);
  }
  dialog.setAttribute('aria-label', title);
  const container = make('div', '', { minHeight: '80px' });
  const alert = make('p', '', { margin: '12px 0' });
  alert.setAttribute('role', 'alert');
  const retry = button(again, () => render());
  const heading = make('h2', title, { margin: '0 0 16px', fontSize: '1.25em', outline: 'none' });
  heading.tabIndex = -1;
  dialog.append(...[heading, container, alert, retry, button(cancel, () => dialog.close())]);
  let token: string | undefined;
  const controller = new AbortController();
  const { signal } = controller;
  const render = () => {
    alert.textContent = '';
    retry.hidden = true;
    // Each try has an element of its own, which no widget has been in.
    const element = make('div');
    container.replaceChildren(element);
    // Before the widget, as a keyboard and a screen reader go on from here.
    heading.focus();
    renderCaptcha(captcha, { element, language, signal }).then(
      (solution) => {
        token = solution;
        dialog.close();
      },
      () => {
        alert.textContent = failed;
        retry.hidden = false;
        retry.focus();
      },
    );
  };
  return new Promise((resolve) => {
    const previousFocus = document.activeElement;
    dialog.addEventListener('close', () => {
      controller.abort();
      openDialogs.delete(dialog);
      root.remove();
      // The browser does so by itself only if the focus is still in the dialog, and not in a challenge.
      previousFocus?.focus();
      resolve(token);
    });
    document.body.append(root);
    openDialogs.add(dialog);
    // The view that the dialog belongs to is gone, in an application whose views are one document.
    page.addEventListener('popstate', () => dialog.close(), { signal });
    if (isModal) dialog.showModal();
    else {
      dialog.show();
      const onKey = ({ key }: { key?: string }) =>
        key === 'Escape' && [...openDialogs].at(-1) === dialog && dialog.close();
      page.addEventListener('keydown', onKey, { signal });
    }
    render();
  });
}
