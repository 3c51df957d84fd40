import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Selectors of Pico that match nothing in the hosted pages. */
const unused = [
  /\[type="?search"?\]\[aria-invalid|~\s*label/,
  /\[type="?(?:range|color|file|date|datetime-local|month|time|week|reset|image|radio|tel)\b/,
  /\[role="?(?:switch|search|textbox|group|button|link)\b/,
  /data-tooltip|^\[data-theme=|data-placement|dropdown|:host|::-ms-|:-moz-(?!progress)|:indeterminate/,
  /\[disabled\]|label\[aria-disabled|::-webkit-file-upload|placeholder|select:invalid|^del$/,
  /\[aria-(?:current|controls|hidden|label=)|\[aria-invalid="?false|\[(?:multiple|size)\b|@-moz|@keyframes (?:tooltip|progress)/,
  /(?:^|[\s>+~(])(?:dialog|article|aside|table|thead|tbody|tfoot|td|th|tr|figure|figcaption|kbd|blockquote|hgroup|ins|mark|pre|samp|fieldset|legend|svg|video|audio|canvas|iframe|object|embed|picture|menu|optgroup|template|abbr|h[3-6]|hr|sub|sup|address|area|nav|search|cite|s|u)\b(?![-=])/,
];

/**
 * Field types that no page has, in the arguments of `:not()`; and prefixed properties that no supported browser needs.
 */
const otherTypes =
  /,\s*\[type="?(?:range|file|date|datetime-local|month|time|week|reset|radio)"?\]|:not\(\[multiple\], \[size\]\)|\[role=switch\],\s*|(?<=input:not\()(?:\[type=(?:submit|button|reset)\],\s*)+/g;
const oldNames =
  /(?:-moz-|-ms-|-o-|-webkit-(?!te))(?:appearance|tab-size|text-size-adjust|touch-action|transition):[^;}]*;?/g;

/** Pico's page widths by window size. Ours replace them. Pico's also remove the page's margin on tablets. */
const widths = /@media \(min-width[^{]*\{\s*body > header,[^{]*\{[^}]*\}\s*\}/g;

/** The pages have the scheme of the browser, which nobody can change in them. */
const themes = /:not\(\[data-theme(?:=dark)?\]\)|@charset "UTF-8";/g;

/**
 * The shadow of cards, of which the pages have none: fields and buttons have their own. That of buttons is none, as it
 * is where it is not defined.
 */
const shadow = /--pico-(?:box-shadow:[^;]*rem|button-(?:hover-)?box-shadow:)[^;]*;/g;

/** Every browser that knows `:has()`, which the pages need, has `system-ui`; and spaces that separate nothing. */
const dispensable = /(?<=system-ui, )"Segoe UI", [^;]*(?=sans-serif)|(?<=,|\s--[\w-]+:) +/g;

/** Nobody sees an underline change slowly, and esbuild writes it three times, for older browsers. */
const slowUnderline = /,\s*(?:-webkit-)?text-decoration var\(--pico-transition\)/g;

/** Removes from Pico, which is three quarters of a page's style sheet, the rules that the hosted pages do not use. */
export const trimPico = (style: string): Plugin => ({
  name: 'Pico without what is unused',
  setup({ onLoad }) {
    onLoad({ filter: /pico\.classless\.css$/ }, async ({ path }) => {
      const rules = withoutRules(
        (await readFile(path, 'utf8')).replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(widths, ''),
      );
      const less = [otherTypes, oldNames, themes, shadow, dispensable, slowUnderline].reduce(
        (text, pattern) => text.replaceAll(pattern, ''),
        rules,
      );
      return { contents: withoutProperties(less, style), loader: 'css' };
    });
  },
});

/** Removes unused selectors, and rules without any selector left. */
function withoutRules(css: string): string {
  let kept = '';
  for (let from = 0; ; ) {
    const open = css.indexOf('{', from);
    if (open < 0) return kept;
    const close = endOf(css, open);
    const head = css.slice(from, open).trim();
    const body = css.slice(open + 1, close);
    if (/^@(?:media|supports)/.test(head)) kept += `${head}{${withoutRules(body)}}`;
    else {
      // A comma in parentheses separates the arguments of `:is()`.
      const selectors = head.split(/,(?![^(]*\))/).filter((each) => !isUnused(each));
      if (selectors.length > 0) kept += `${selectors.join(',')}{${body}}`;
    }
    from = close + 1;
  }
}

/** `:not(...)` only excludes elements, so its arguments do not make a selector unused. */
const isUnused = (selector: string) => {
  const applied = selector.replaceAll(/:not\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '').trim();
  return unused.some((pattern) => pattern.test(applied));
};

/** Repeatedly removes custom properties that nothing reads, until every remaining one is read. */
function withoutProperties(css: string, style: string): string {
  const read = new Set(
    Array.from(`${css}${style}`.matchAll(/var\((--[\w-]+)/g), ([, name]) => name),
  );
  // A value may have a semicolon within quotes.
  const less = css.replaceAll(/(--[\w-]+):\s*(?:"[^"]*"|[^;"}])*;?/g, (all, name: string) =>
    read.has(name) ? all : '',
  );
  return less === css ? css : withoutProperties(less, style);
}

/** Index of the brace that closes the one at `open`. */
function endOf(css: string, open: number): number {
  let depth = 0;
  for (let at = open; at < css.length; at += 1) {
    if (css[at] === '{') depth += 1;
    if (css[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return css.length;
}
