import type { CheckOptions } from '../options.ts'
import type { World } from '../world.ts'

/** The option of the command line that enables a check. */
export interface Asked {
  readonly by: string
  isAsked(options: CheckOptions): boolean
}

/** One check: a row of the report. */
export interface CheckRow {
  readonly name: string
  /** The rule of the protocol that is checked, with its marks in docs/contract. */
  readonly says: string
  /** Names of checks that must hold first, because this one would show nothing without them. */
  readonly needs?: readonly string[]
  /** Set when the check runs only on request of the command line. */
  readonly asked?: Asked
  /**
   * Resolves to what was seen when the rule holds. Throws `Unmet` when it does not, and `NotOffered` when the engine
   * says that it lacks the feature.
   */
  look(world: World): Promise<string>
}

export const WITH_NUMBER: Asked = { by: '--number', isAsked: ({ number }) => number !== null }
export const WITH_PEER: Asked = { by: '--peer', isAsked: ({ peer }) => peer !== null }
export const WITH_REPLY: Asked = { by: '--reply', isAsked: ({ isReplyAsked }) => isReplyAsked }
export const WITH_CALLS: Asked = { by: '--calls', isAsked: ({ areCallsAsked }) => areCallsAsked }
export const WITH_TAKEOVER: Asked = { by: '--takeover', isAsked: ({ takeover }) => takeover !== null }
export const WITH_TAKEOVER_AND_PEER: Asked = {
  by: '--takeover with --peer',
  isAsked: ({ takeover, peer }) => takeover !== null && peer !== null,
}
export const WITH_ROTATION: Asked = { by: '--rotation', isAsked: ({ isRotationAsked }) => isRotationAsked }
