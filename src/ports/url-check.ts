/** Why an address given by a caller may not be used. */
export type UrlFault =
  /** The address is not http or https. */
  | 'invalid'
  /** The guard refuses the address, the port or the form. */
  | 'forbidden'

/**
 * Checks an address at the moment it is stored, without connecting; null when it may be used. A name that has no
 * address now passes (our choice: DNS may be set up later, and every connection is checked anyway). Never rejects.
 */
export type UrlCheck = (url: string) => Promise<UrlFault | null>
