import type { Register } from './register.ts'

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

/** The media hosts there are. */
export type MediaRegister = Register<MediaHostEntry>
