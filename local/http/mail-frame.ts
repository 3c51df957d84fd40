/** A mail for a frame with a sandbox: its links open in a new tab, for in the frame they would lead nowhere. */
export function withLinksInNewTabs(html: string): string {
  return html.replace(/<head\b[^>]*>|$/i, '$&<base target="_blank">');
}
