/** Copies a text; rejects in a frame without the permission, and on plain http, where there is no clipboard. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
}
