import type { CallMediaKind } from './call-media.ts'
import { refuse } from './errors.ts'
import type { Refusal } from './errors.ts'

/** What an engine of QR-paired numbers can do, as it says of itself ([engines.bridge.1]). */
export const ENGINE_CAPABILITIES = [
  'text',
  'media',
  'groups',
  'newsletters',
  'stories',
  'history',
  'calls',
  'callAudio',
  'lists',
  'polls',
  'edits',
  'revocations',
  'typing',
] as const
export type EngineCapability = (typeof ENGINE_CAPABILITIES)[number]

/** What an engine said of itself as it started the session of a number. */
export interface EngineFacts {
  /** Null when it gave none. */
  readonly name: string | null
  readonly version: string | null
  /** Null when it named none: what it cannot do is then learned by asking. */
  readonly capabilities: readonly EngineCapability[] | null
  /**
   * How the audio of a call reaches it. Null when it did not say; then it is `webrtc`, the kind that every engine
   * speaks ([bridge.ops.9]).
   */
  readonly callMedia: readonly CallMediaKind[] | null
}

export const SESSION_HEALTH_LEVELS = ['ok', 'warning', 'restricted'] as const
export type SessionHealthLevel = (typeof SESSION_HEALTH_LEVELS)[number]

/** How the device network rates a number, as its engine last said ([engines.bridge.6]). */
export interface SessionHealth {
  readonly level: SessionHealthLevel
  /** The reason for programs. */
  readonly code: string | null
  /** The reason for people. */
  readonly text: string | null
}

/** True when an engine says of itself that it cannot do this. One that names no capabilities is asked. */
export function lacks(engine: EngineFacts | null, capability: EngineCapability): boolean {
  return engine?.capabilities?.includes(capability) === false
}

/**
 * Refuses what the engine of a number cannot do ([engines.baileys-duties.7]). `details.engine` is its name, null when
 * it gave none.
 */
export function notOfEngine(engine: EngineFacts | null, capability: EngineCapability): Refusal {
  return refuse('FEATURE_NOT_SUPPORTED', 'The engine of this number does not support this.', {
    engine: engine?.name ?? null,
    capability,
  })
}
