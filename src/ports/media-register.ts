/** contract 20: an entry is good for 6 s from when it was put, and put anew every 2 s. */
export const REGISTER_TTL_MS = 6_000
export const REGISTER_EVERY_MS = 2_000

/** What a media host tells the gateways of itself (contract 20, "Media hosts"). */
export interface MediaHostEntry {
  /** New with each start of the host. */
  readonly hostId: string
  /** ws: or wss: URL at which gateways reach its control socket. */
  readonly controlUrl: string
  /** What its realtime URLs start with; for those who operate it. */
  readonly publicUrl: string
  /** Of the program. */
  readonly version: string
  /** Calls it holds, of all gateways. */
  readonly calls: number
  /** 99th percentile of how late audio slots began over the last 10 s. */
  readonly tickLateP99Ms: number
  /** Processor time over the time it was measured in: 1 is a whole core. */
  readonly cpu: number
  /** It takes no new call. */
  readonly draining: boolean
}

/**
 * Which media hosts there are, shared by all gateways. Entries are told apart by their hostId, and only those put under
 * the same internal secret are seen. Every method rejects when the register cannot be reached: then nothing is known,
 * which is not the same as "nobody".
 */
export interface MediaRegister {
  /** Puts or replaces an entry; it is gone REGISTER_TTL_MS later unless it is put again. */
  put(entry: MediaHostEntry): Promise<void>
  /** Takes an entry out. Idempotent. */
  remove(hostId: string): Promise<void>
  /**
   * The entries that have not run out, in no order; what cannot be read or was not put under this secret is left out.
   */
  list(): Promise<MediaHostEntry[]>
  /** Ends the connection; entries run out by themselves. Idempotent. */
  close(): Promise<void>
}
