import { pageOf } from './page.ts';

/** Saves a text as a file. It is in no address: a browser keeps the addresses of what was downloaded. */
export function download(name: string, text: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = pageOf().document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // After the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
