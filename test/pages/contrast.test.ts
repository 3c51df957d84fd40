import { expect, test } from 'vitest';
import { deviceName } from '../../client/device-name.ts';
import { textOn } from '../../pages/contrast.ts';

/** The contrast of two colors (WCAG 2.2), computed independently. */
function contrast(a: string, b: string): number {
  const luminance = (color: string) => {
    const full = color.length === 4 ? color.replace(/[\da-f]/gi, '$&$&') : color;
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(full.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

test('text on any color of a project has the contrast of WCAG AA', () => {
  const steps = ['00', '22', '44', '66', '88', 'aa', 'cc', 'ee', 'ff'];
  for (const r of steps)
    for (const g of steps)
      for (const b of steps) {
        const color = `#${r}${g}${b}`;
        expect(contrast(color, textOn(color)), color).toBeGreaterThanOrEqual(4.5);
      }
});

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge, Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'Safari, iOS',
  ],
  ['curl/8.14.1', 'curl/8.14.1'],
  ['', ''],
])('the user agent %s is shown as %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
