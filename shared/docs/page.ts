/** Nothing from elsewhere and no inline script. Swagger UI itself sets styles and uses data URLs for icons. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The API documentation page. */
export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Identity and workspace service</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<main id="interface"><a href="openapi.json">The API as an OpenAPI document</a></main>
<section class="swagger-ui"><div class="wrapper">
<p class="renderedMarkdown"><a href="docs/errors">Every error, with its cause and remedy</a></p>
</div></section>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;
