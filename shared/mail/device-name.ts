import type { MailTexts } from './templates.ts';

/** Browsers, each before those whose name its User-Agent also contains. */
const programs: readonly [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];
const systems: readonly [name: string, sign: RegExp][] = [
  ['iphone', /\biPhone\b/],
  ['ipad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['mac', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

/** A readable name of the device in a User-Agent (RFC 9110): `Firefox on Windows`. */
export function deviceName(userAgent: string, texts: MailTexts['devices']): string {
  const named = (list: typeof programs) => list.find(([, sign]) => sign.test(userAgent))?.[0];
  const program = named(programs);
  const found = named(systems);
  if (found === undefined) return program ?? texts.unknown;
  const system = (texts as Record<string, string>)[found] ?? found;
  return program
    ? texts.program_on.replace('{program}', program).replace('{system}', system)
    : texts.any_program_on.replace('{system}', system);
}
