/** A file's text without the U+FEFF with which editors of Windows begin it: JSON has no such character. */
export const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF/, '');
