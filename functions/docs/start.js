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
