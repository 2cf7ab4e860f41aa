import type { CheckOptions } from '../options.ts'
import type { World } from '../world.ts'

/** What of the command line asks for a check. */
export interface Asked {
  readonly by: string
  isAsked(options: CheckOptions): boolean
}

/** One check: a row of the report. */
export interface CheckRow {
  readonly name: string
  /** What the protocol says, with the section of the contract in brackets. */
  readonly says: string
  /** Checks without which this one shows nothing. */
  readonly needs?: readonly string[]
  /** Looked at only where the command line asks for it. */
  readonly asked?: Asked
  /**
   * Answers what was seen where it holds; throws `Unmet` where it does not, `NotOffered` where the engine says that it
   * has no such thing.
   */
  look(world: World): Promise<string>
}

export const WITH_NUMBER: Asked = { by: '--number', isAsked: ({ number }) => number !== null }
export const WITH_PEER: Asked = { by: '--peer', isAsked: ({ peer }) => peer !== null }
export const WITH_REPLY: Asked = { by: '--reply', isAsked: ({ isReplyAsked }) => isReplyAsked }
export const WITH_CALLS: Asked = { by: '--calls', isAsked: ({ areCallsAsked }) => areCallsAsked }
export const WITH_ROTATION: Asked = { by: '--rotation', isAsked: ({ isRotationAsked }) => isRotationAsked }
