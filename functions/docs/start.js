// Runs in the browser, on the page that functions/docs/page.ts serves.
globalThis.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#interface',
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: null, // The default sends the document to a stranger.
});
