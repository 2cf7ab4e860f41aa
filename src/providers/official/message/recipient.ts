/** The recipient of a request: users who hide their number go by upstream's user id. */
export function recipientOf(address: string): { readonly to: string } | { readonly recipient: string } {
  return /^\d+$/.test(address) ? { to: address } : { recipient: address }
}
