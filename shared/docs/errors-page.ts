import { type ErrorCode, errorCodes } from '../model/error-codes.ts';
import { explanations } from './explanations.ts';

/** The page has no script and loads nothing from elsewhere. */
export const errorsPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Every error with its cause and remedy. The `type` of a problem links to the section of its code. */
export const errorsPage = (): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors</title>
<link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 50vh; }
  section { border-top: 1px solid #8886; padding: .5rem 0; }
  section:target { border-left: .25rem solid; padding-left: .75rem; }
  h2 { font-size: 1.1rem; overflow-wrap: anywhere; }
  h2 a { color: inherit; text-decoration: none; }
</style>
</head>
<body>
<h1>Errors</h1>
<p>A request that fails is answered with <code>application/problem+json</code> (RFC 9457). Its <code>code</code> never changes its meaning; its
<code>type</code> is the address of one of these sections. <code>request_id</code> names the request where you report it.
<a href="../docs">The whole interface</a></p>
${Object.keys(errorCodes)
  .map((code) => section(code as ErrorCode))
  .join('\n')}
</body>
</html>
`;

function section(code: ErrorCode): string {
  const { status, title } = errorCodes[code];
  const { cause, remedy } = explanations[code];
  return `<section id="${code}">
<h2><a href="#${code}">${status} <code>${code}</code></a></h2>
<p>${withCode(title)}.</p>
<p><b>Cause:</b> ${withCode(cause)}</p>
<p><b>Remedy:</b> ${withCode(remedy)}</p>
</section>`;
}

/** Escapes our own text as HTML; text between backticks becomes code. */
const withCode = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>');
