/** A mail for a sandboxed frame. Its links open in a new tab, because the frame cannot navigate. */
export function withLinksInNewTabs(html: string): string {
  return html.replace(/<head\b[^>]*>|$/i, '$&<base target="_blank">');
}
