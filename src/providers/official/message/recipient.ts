/** Whom a request is for: users who hide their number go by upstream's own id. */
export function recipientOf(address: string): { readonly to: string } | { readonly recipient: string } {
  return /^\d+$/.test(address) ? { to: address } : { recipient: address }
}
