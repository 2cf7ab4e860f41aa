import type { NumberId } from '../../domain/ids.ts'
import type { Redialling, SocketEnding } from '../../net/json-socket.ts'

/** The place of one number's session at an engine, over all connections of that session. */
export interface EngineSeat {
  /** The base of the engine to dial now; null when no engine takes the session now. */
  dial(): string | null
  /** The dialled connection stands. */
  up(): void
  /** It is over, or was never made. Answers when to dial again; null for after the backoff. */
  over(ending: SocketEnding): Redialling | null
  /** The session is closed. */
  leave(): void
}

/** The engines that sessions of numbers are opened at. */
export interface Engines {
  /** Makes the seat of a number's session. `probe` is called when its engine may have died without a word. */
  seat(numberId: NumberId, probe: () => void): EngineSeat
}

/** The one engine of an installation that names it in its configuration. */
export function oneEngine(url: string): Engines {
  return { seat: () => ({ dial: () => url, up: () => {}, over: () => null, leave: () => {} }) }
}
