// Runs in the browser, on the page that functions/docs/page.ts serves.

// Scalar validates with zod, which compiles code if it may. The policy of the page forbids it, so zod must not even try.
globalThis['__zod_globalConfig'] = { jitless: true };

const service = new URL('.', document.baseURI).href; // Ends with the base path, if there is one.

document.addEventListener('DOMContentLoaded', () =>
  globalThis.Scalar.createApiReference('#interface', {
    url: `${service}openapi.json`,
    baseServerURL: service,
    documentDownloadType: 'none', // The page has a link.
    orderSchemaPropertiesBy: 'preserve',
    // By default, these contact scalar.com or lead there.
    agent: { disabled: true },
    hideClientButton: true,
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    telemetry: false,
    withDefaultFonts: false,
  }),
);

// Names and states that Scalar's lists and its dialog "Test Request" lack, without which a screen reader cannot use them.
const repairs = {
  '.show-more[aria-label^="Show all"]': (button) =>
    button.setAttribute('aria-label', `${button.textContent.trim()}: ${button.ariaLabel.slice(5)}`),
  '[role="combobox"]:not([aria-expanded])': (input) => input.setAttribute('aria-expanded', 'false'),
  '.code-input-lite__editor:not([aria-label])': (input) =>
    input.setAttribute('aria-label', input.dataset.placeholder ?? 'Value'),
  '.cm-content:not([aria-label])': (input) => input.setAttribute('aria-label', 'Body'),
  '[role="dialog"] [class*="copy-button"]:not([aria-label])': (button) =>
    button.setAttribute('aria-label', 'Copy'),
  '[role="dialog"] button[role="none"]': (button) => button.removeAttribute('role'),
};
new MutationObserver(() => {
  for (const [selector, repair] of Object.entries(repairs))
    document.querySelectorAll(selector).forEach(repair);
}).observe(document, { childList: true, subtree: true, attributeFilter: ['aria-expanded'] });
