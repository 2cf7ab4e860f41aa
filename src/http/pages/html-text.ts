/** Escapes a text for HTML, between tags and in attributes with double quotes. */
export function htmlText(raw: string): string {
  return raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
