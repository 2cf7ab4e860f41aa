import type { Register } from './register.ts'

/** What an engine of QR-paired numbers tells the gateways of itself ([engine-fleet.register.1]). */
export interface EngineEntry {
  /** An id that is new with each start of the engine. */
  readonly engineId: string
  /** ws: or wss: base of its device bridge, as DEVICE_BRIDGE_URL. */
  readonly url: string
  /** The version of the program. */
  readonly version: string
  /** Sessions of numbers that it holds, those of all gateways. */
  readonly sessions: number
  /** Sessions that it takes at most. */
  readonly capacity: number
  /** True when it takes no new session. */
  readonly draining: boolean
}

/** The engines there are. */
export type EngineRegister = Register<EngineEntry>
