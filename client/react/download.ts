/** What it needs of a page: the types of the DOM are not there in every compilation. */
type Page = {
  document: { createElement(name: 'a'): { href: string; download: string; click(): void } };
};

/** Saves a text as a file. It is in no address: a browser keeps the addresses of what was downloaded. */
export function download(name: string, text: string): void {
  const { document } = (globalThis as unknown as { window: Page }).window;
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // After the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
