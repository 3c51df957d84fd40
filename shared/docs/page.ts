/**
 * Loads nothing from elsewhere and runs no inline script. Scalar inserts its styles as elements and attributes, and
 * uses data URLs for icons.
 */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The API documentation page.
 *
 * @param scripts file names of Scalar's browser build and of the script that starts it
 */
export const page = (scripts: { scalar: string; start: string }): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Identity and workspace service</title>
<link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; --scalar-custom-header-height: 2.5rem; }
  body { margin: 0; }
  nav.links { position: sticky; top: 0; z-index: 10; box-sizing: border-box; height: var(--scalar-custom-header-height);
    display: flex; align-items: center; gap: 1.25rem; padding: 0 1.25rem; border-bottom: 1px solid var(--scalar-border-color, #8886);
    background: var(--scalar-background-1, Canvas); font: 14px system-ui, sans-serif; }
  nav.links a { color: var(--scalar-color-1, CanvasText); }
  /* The colors of Scalar that have less than the contrast of WCAG 2.2 AA, and a name for its buttons that copy. */
  body.light-mode { --scalar-color-2: #626262; --scalar-color-3: #6b6b6b; --scalar-color-green: #007a4a; --scalar-color-blue: #006bb3;
    --scalar-color-red: #cf0012; --scalar-color-orange: #b34100; --scalar-color-yellow: #7a5d00; }
  body.dark-mode { --scalar-color-3: #8c8c8c; --scalar-color-red: #ff5c5c; }
  /* On a phone the name of the operation must not make the page wider than the screen. */
  .t-doc__header span { overflow: hidden; text-overflow: ellipsis; }
  .scalar-code-copy .sr-only > .hidden { display: inline; }
</style>
</head>
<body>
<nav class="links" aria-label="Service"><a href="openapi.json">OpenAPI document</a> <a href="docs/errors">Errors</a></nav>
<div id="interface"></div>
<script src="docs/${scripts.start}"></script>
<script src="docs/${scripts.scalar}"></script>
</body>
</html>
`;
