/**
 * The script of a captcha provider, as Turnstile, hCaptcha and reCAPTCHA document it: with `render=explicit` it calls
 * the function that `onload` names, and `render` shows a frame of the provider, whose button solves the captcha. Like
 * hCaptcha and reCAPTCHA, it appends a challenge to the body of the page, which must be clicked too. `hl` in the
 * script's URL sets the language of hCaptcha and reCAPTCHA. A widget can override it with `language` (Turnstile) or
 * `hl` (hCaptcha); reCAPTCHA has no override.
 */
export const captchaScript = (path: string): string => {
  const name = path.startsWith('/turnstile')
    ? 'turnstile'
    : path.startsWith('/1/')
      ? 'hcaptcha'
      : 'grecaptcha';
  const ofWidget = { turnstile: 'options.language', hcaptcha: 'options.hl', grecaptcha: 'null' };
  return `(() => {
  const { searchParams, origin } = new URL(document.currentScript.src);
  if (searchParams.get('render') !== 'explicit') throw new Error('render');
  const widgets = [];
  const challenge = (frame, solved) => {
    if (${name === 'turnstile'}) return solved();
    const button = document.createElement('button');
    button.textContent = 'The picture with the bus';
    button.style.cssText = 'position: fixed; inset-block-start: 40px; inset-inline-start: 40px; z-index: 2000000000';
    button.onclick = () => { button.remove(); solved(); };
    frame.challenge = document.body.appendChild(button);
    button.focus();
  };
  globalThis[${JSON.stringify(name)}] = {
    render(element, options) {
      if (element.childNodes.length > 0) throw new Error('There is a widget in the element already.');
      const frame = document.createElement('iframe');
      const about = { hostname: location.hostname, action: options.action ?? '', theme: options.theme };
      const language = ${ofWidget[name]} ?? searchParams.get('hl');
      frame.src = origin + ${JSON.stringify(name === 'grecaptcha' ? '/recaptcha' : '')} + '/frame?' + new URLSearchParams({ ...about, language, sitekey: options.sitekey });
      frame.title = 'Widget of the provider';
      frame.style.cssText = options.size === 'compact' ? 'width: 150px; height: 140px; border: 0' : 'width: 304px; height: 65px; border: 0';
      addEventListener('message', ({ source, data }) => {
        if (source !== frame.contentWindow) return;
        if (data.token) challenge(frame, () => options.callback(data.token));
        else options['error-callback'](data.error);
      });
      element.append(frame);
      return widgets.push(frame) - 1;
    },
    ${name === 'grecaptcha' ? '' : 'remove(id) { widgets[id].challenge?.remove(); widgets[id].remove(); },'}
  };
  setTimeout(() => globalThis[searchParams.get('onload')]());
})();`;
};

/** The document in the frame of the widget. */
export const captchaFramePage = (query: URLSearchParams): string => {
  const dark = query.get('theme') === 'dark';
  return `<!doctype html><html lang="${query.get('language')}"><meta charset="utf-8"><title>Widget</title>
<style>body { margin: 0; font: 16px sans-serif; background: ${dark ? '#222' : '#fafafa'} }
button { font: inherit; block-size: 65px; inline-size: 100%; border: 1px solid #888; background: none; color: ${dark ? '#fff' : '#000'} }</style>
<main><button>I am a person (${query.get('language')}, ${query.get('theme')})</button></main>
<script>
document.querySelector('button').onclick = async () => {
  const answer = await fetch('/solve' + location.search);
  parent.postMessage(answer.ok ? { token: await answer.text() } : { error: '300010' }, '*');
};
</script></html>`;
};
