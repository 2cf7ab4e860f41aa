import type { Log } from '../process/log.ts'

/** This engine's place in the fleet that gateways know. */
export interface FleetPlace {
  /** Says to gateways whether they may place sessions here. Resolves once that was tried; never rejects. */
  setDraining(isDraining: boolean): Promise<void>
  /** Takes the engine out of the register for good. Never rejects. */
  withdraw(): Promise<void>
}

/** What the fleet has to do with a session. */
export interface FleetSession {
  readonly outbox: { readonly isAttached: boolean }
}

export interface FleetSessions {
  readonly count: number
  all(): Iterable<FleetSession>
  /** Frees its number for another engine. */
  handOver(session: FleetSession): Promise<void>
}

export interface FleetParts {
  readonly engineId: string
  /** The ws: or wss: base under which gateways reach this engine. */
  readonly url: string
  /** Sessions that it holds now. */
  readonly sessions: FleetSessions
  readonly log: Log
}
