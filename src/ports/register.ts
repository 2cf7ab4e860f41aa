/** An entry is good for 6 s after it was put, and put anew every 2 s ([media-hosts.register.1]). */
export const REGISTER_TTL_MS = 6_000
export const REGISTER_EVERY_MS = 2_000

/**
 * The programs of one kind that there are, shared by all gateways. Entries are told apart by an id, and only those put
 * under the same internal secret are seen. Every method rejects when the register cannot be reached: then the programs
 * are unknown, which does not mean that there are none.
 */
export interface Register<Entry> {
  /** Puts or replaces an entry; it is gone REGISTER_TTL_MS later unless it is put again. */
  put(entry: Entry): Promise<void>
  /** Takes the entry of this id out. Idempotent. */
  remove(id: string): Promise<void>
  /**
   * Lists the entries that have not run out, in no order. Unreadable ones, and those put under another secret, are left
   * out.
   */
  list(): Promise<Entry[]>
  /** Ends the connection; entries run out by themselves. Idempotent. */
  close(): Promise<void>
}
