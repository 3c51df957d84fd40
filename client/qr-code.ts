import { encode } from 'uqr';

/**
 * The QR code of a text, with error correction M, as rows of dark modules. The secret of an authenticator app is drawn
 * in the page, so that no other service sees it. The build puts `uqr` into this file: the package has no dependency.
 *
 * @throws RangeError for more than 2,331 bytes
 */
export const qrCode = (text: string): boolean[][] => encode(text, { ecc: 'M', border: 0 }).data;
