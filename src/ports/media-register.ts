/** An entry is good for 6 s after it was put, and put anew every 2 s ([media-hosts.register.1]). */
export const REGISTER_TTL_MS = 6_000
export const REGISTER_EVERY_MS = 2_000

/** What a media host tells the gateways of itself ([media-hosts.register.1]). */
export interface MediaHostEntry {
  /** An id that is new with each start of the host. */
  readonly hostId: string
  /** ws: or wss: URL at which gateways reach its control socket. */
  readonly controlUrl: string
  /** The beginning of its realtime URLs, for those who operate the host. */
  readonly publicUrl: string
  /** The version of the program. */
  readonly version: string
  /** Calls that it holds, those of all gateways. */
  readonly calls: number
  /** The 99th percentile of how late audio slots began over the last 10 s, in ms. */
  readonly tickLateP99Ms: number
  /** Processor time over the time in which it was measured: 1 is a whole core. */
  readonly cpu: number
  /** True when it takes no new call. */
  readonly draining: boolean
}

/**
 * The media hosts there are, shared by all gateways. Entries are told apart by their hostId, and only those put under
 * the same internal secret are seen. Every method rejects when the register cannot be reached: then the hosts are
 * unknown, which does not mean that there are none.
 */
export interface MediaRegister {
  /** Puts or replaces an entry; it is gone REGISTER_TTL_MS later unless it is put again. */
  put(entry: MediaHostEntry): Promise<void>
  /** Takes an entry out. Idempotent. */
  remove(hostId: string): Promise<void>
  /**
   * Lists the entries that have not run out, in no order. Unreadable ones, and those put under another secret, are left
   * out.
   */
  list(): Promise<MediaHostEntry[]>
  /** Ends the connection; entries run out by themselves. Idempotent. */
  close(): Promise<void>
}
