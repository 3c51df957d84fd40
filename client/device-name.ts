/**
 * Names of programs and systems in a User-Agent header, the more exact ones first: all of them pretend to be others.
 */
const browsers: [string, RegExp][] = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];
const systems: [string, RegExp][] = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
];

/** What a person calls the device of a session: "Firefox, Linux"; for another program the start of its own name. */
export function deviceName(userAgent: string): string {
  const [browser, system] = [browsers, systems].map(
    (patterns) => patterns.find(([, pattern]) => pattern.test(userAgent))?.[0],
  );
  return [browser, system].filter(Boolean).join(', ') || userAgent.slice(0, 60);
}
