import { escapeHtml as e } from './sanitize.ts';

interface Page {
  language: string;
  subject: string;
  product: string;
  preheader: string;
  heading: string;
  body: string;
  /** Text written by another user. */
  quote?: string;
  /** The hint stands above the link in full. */
  action?: { link: string; label: string; hint: string };
  code?: string;
  /** How long the link or the code is valid. */
  note?: string;
  otherwise: string;
}

const font =
  "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const paragraph = (text: string) =>
  `<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:24px;color:#27272a">${e(text)}</p>`;
const small = (text: string, more = '', direction = '') =>
  `<p class="soft"${direction} style="margin:0 0 12px;font-size:14px;line-height:21px;color:#52525b${more}">${e(text)}</p>`;
/** In its own direction: it may be in another language than the mail. */
const quotation = (text: string) => small(text, ';text-align:start', ' dir="auto"');

const box = (cell: string) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" style="width:100%;margin:8px 0 20px"><tr>
${cell}
</tr></table>`;
/** Outlook on Windows pads cells alone, and not the link in one: `mso-padding-alt` is for it. */
const button = ({ link, label, hint }: NonNullable<Page['action']>) =>
  `${box(`<td align="center" bgcolor="#2563eb" style="border-radius:10px;background:#2563eb;mso-padding-alt:14px 20px"><a href="${e(link)}" style="display:block;padding:14px 20px;font-size:17px;line-height:24px;font-weight:600;color:#ffffff;text-decoration:none">${e(label)}</a></td>`)}
${small(hint, ';margin-bottom:4px')}
${small(link, ';word-break:break-all')}`;
const codeBox = (code: string) =>
  box(
    `<td class="ink box" align="center" bgcolor="#f4f4f5" style="padding:16px 0 16px 7px;border-radius:10px;background:#f4f4f5;font:600 34px/40px Consolas,ui-monospace,Menlo,monospace;letter-spacing:7px;color:#18181b">${e(code)}</td>`,
  );

/**
 * The HTML layout of all mails: a single column that fits a phone, with inline styles as mail programs require. Outlook
 * on Windows does not hand the font down to inner tables, and Outlook.com knows `overflow-wrap` by its old name alone.
 */
export const layout = (page: Page): string => `<!doctype html>
<html lang="${e(page.language)}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${e(page.subject)}</title>
<style>
:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){.page{background:#18181b!important}.card{background:#27272a!important}.ink{color:#fafafa!important}.soft{color:#b4b4bd!important}.rule{border-color:#3f3f46!important}.box{background:#18181b!important}}
</style>
<!--[if mso]><style>td,p,h1,a{font-family:'Segoe UI',Arial,sans-serif}</style><![endif]-->
</head>
<body class="page" style="margin:0;padding:0;background:#f4f4f5;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${e(page.preheader)}</div>
<table role="presentation" class="page" cellpadding="0" cellspacing="0" style="width:100%;table-layout:fixed;background:#f4f4f5"><tr><td align="center" style="padding:24px 12px;${font}">
<table role="presentation" cellpadding="0" cellspacing="0" style="width:100%;max-width:480px;table-layout:fixed;text-align:left">
<tr><td class="soft" dir="auto" style="padding:0 20px 12px;font-size:15px;line-height:22px;font-weight:600;color:#52525b;word-wrap:break-word;overflow-wrap:anywhere;overflow:hidden">${e(page.product)}</td></tr>
<tr><td class="card" style="padding:28px 20px 16px;border-radius:14px;background:#ffffff;word-wrap:break-word;overflow-wrap:anywhere;overflow:hidden">
<h1 class="ink" style="margin:0 0 12px;font-size:22px;line-height:28px;font-weight:700;color:#18181b">${e(page.heading)}</h1>
${[
  paragraph(page.body),
  ...(page.quote ? [quotation(page.quote)] : []),
  ...(page.action ? [button(page.action)] : []),
  ...(page.code ? [codeBox(page.code)] : []),
  ...(page.note ? [small(page.note)] : []),
].join('\n')}
<div class="rule" style="margin:20px 0 16px;border-top:1px solid #e4e4e7"></div>
${page.note ? small(page.otherwise) : paragraph(page.otherwise)}
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
