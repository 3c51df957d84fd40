import { docs } from '#shared/contract/docs.ts';
import { errors } from '#shared/errors.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { reply } from '#shared/http/reply.ts';

/** Nothing from elsewhere and no script in the page; Swagger UI itself sets styles and draws its icons by data URLs. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

// The `type` of a failure is the URL of its row here.
const failures = Object.entries(errors)
  .map(
    ([code, { status, title }]) =>
      `<dt id="${code}"><code>${status} ${code}</code></dt><dd>${title}</dd>`,
  )
  .join('\n');

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Identity and workspace service</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<main id="interface"><a href="openapi.json">The interface as an OpenAPI document</a></main>
<section class="swagger-ui"><div class="wrapper"><h2>Failures</h2><dl class="renderedMarkdown">
${failures}
</dl></div></section>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

export const handler = endpoint(docs.page, async () =>
  reply(html, { headers: { 'content-security-policy': policy } }),
);
