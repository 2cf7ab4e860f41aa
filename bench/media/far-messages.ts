import type { SessionCodec } from '../../src/domain/realtime-session.ts'

/** Requests from the bench to a process that plays peers and clients, and its answers. */
export type FarRequest =
  | { readonly id: number; readonly op: 'answer'; readonly call: number; readonly sdp: string }
  | {
      readonly id: number
      readonly op: 'open'
      readonly call: number
      readonly wsUrl: string
      readonly codec: SessionCodec
      readonly isProbe: boolean
    }
  | { readonly id: number; readonly op: 'reset' }
  | { readonly id: number; readonly op: 'counts' }

export interface FarCounts {
  /** Counts since the last reset, over all calls but the probe. */
  readonly seconds: number
  readonly wsFrames: number
  readonly rtpPackets: number
  readonly rtpMissing: number
  /** Latencies of the probe, in ms: from the first sound on one side to the first sound on the other. */
  readonly wsToRtpMs: readonly number[]
  readonly rtpToWsMs: readonly number[]
  /** How late the process's own slots were; above a few ms its latencies mean little. */
  readonly farLateP99Ms: number
  /** CPU time since the last reset, ms. */
  readonly cpuMs: number
}

export type FarAnswer =
  | { readonly re: number; readonly value: unknown }
  | { readonly re: number; readonly error: string }
