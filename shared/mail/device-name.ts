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
  ['an iPhone', /\biPhone\b/],
  ['an iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['a Mac', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

/** A readable name of the device in a User-Agent (RFC 9110): `Firefox on Windows`. */
export function deviceName(userAgent: string): string {
  const named = (list: typeof programs) => list.find(([, sign]) => sign.test(userAgent))?.[0];
  const [program, system] = [named(programs), named(systems)];
  if (!program) return system ? `a program on ${system}` : 'an unknown device';
  return system ? `${program} on ${system}` : program;
}
