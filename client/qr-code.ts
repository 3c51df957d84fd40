import { encode } from 'uqr';

/**
 * The QR code of a text, with error correction M and the margin that scanners need: a square of `size`, and the path of
 * what is dark in it. Undefined for more than 2,331 bytes, as of a name as long as a page: the secret can be typed. It is
 * drawn in the page, so that no other service sees it. The build puts `uqr` into this file: the package has no dependency.
 */
export function qrCode(text: string): { size: number; dark: string } | undefined {
  try {
    const { data, size } = encode(text, { ecc: 'M', border: 4 });
    const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? `M${x} ${y}h1v1h-1z` : [])));
    return { size, dark: dark.join('') };
  } catch {
    return undefined;
  }
}
