import type { Capabilities } from '../capabilities.ts'
import type { ProviderKind } from '../number.ts'

/** All that differs between kinds of numbers. Nothing else asks which kind a number is; see `kinds.ts`. */
export interface KindOfNumber {
  /** As rows, requests, answers and texts for people name it. */
  readonly name: ProviderKind
  readonly can: Capabilities
  /**
   * It is one of an account upstream: it has credentials of it, a state that upstream can be asked for, and marks that
   * upstream's refusals leave.
   */
  readonly hasAccount: boolean
  /**
   * Its session holds nothing upstream: what happens comes by webhook, so the number may leave memory while it is
   * connected, and is no load that nodes share out.
   */
  readonly isStateless: boolean
  /** Upstream has ids of users who may hide their number; else people are known by their phone number alone. */
  readonly knowsUserIds: boolean
  /** How long a contact's message lets free texts through, in ms; null: they may always be sent. */
  readonly windowMs: number | null
}
