import { limits } from '../model/limits.ts';

/** The logo of a project's hosted pages: a data: URL, so that the pages load nothing from elsewhere. */

const form = /^data:(image\/(?:svg\+xml|png|webp));base64,([A-Za-z0-9+/]+={0,2})$/;
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * The type of an image by its first bytes. An SVG may contain scripts and links, which is harmless here: the pages show
 * it only in `<img>`, where a browser runs no script of an image and loads nothing for it, and no browser opens a data:
 * URL as a page of its own.
 */
function imageTypeOf(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, png.length).equals(png)) return 'image/png';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP')
    return 'image/webp';
  // Before its element an SVG may have a byte order mark, a declaration, comments and a document type.
  const before =
    /^\ufeff?\s*(?:(?:<\?xml\s[^>]*>|<!--(?:(?!-->)[^])*-->|<!DOCTYPE\s+svg[^>[]*>)\s*)*<svg[\s/>]/i;
  return before.test(bytes.toString('utf8')) ? 'image/svg+xml' : undefined;
}

/** The data: URL of an image; undefined if it is neither SVG, PNG nor WebP. */
export function logoFrom(bytes: Buffer): string | undefined {
  const type = imageTypeOf(bytes);
  return type && `data:${type};base64,${bytes.toString('base64')}`;
}

/** Whether it is a data: URL whose content is of the type that it names. */
export function isLogo(url: string): boolean {
  // Nothing longer is decoded.
  const [, type, content = ''] = (url.length <= limits.logo && form.exec(url)) || [];
  const bytes = Buffer.from(content, 'base64');
  return type !== undefined && imageTypeOf(bytes) === type && logoFrom(bytes) === url;
}
