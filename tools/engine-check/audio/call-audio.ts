import type { CallMedia } from '../../../src/domain/call-media.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Log } from '../../../src/ports/log.ts'
import type { Ear } from './tone.ts'

/** The check's end of the audio of one call: it plays a tone and listens. */
export interface CallAudio {
  readonly ear: Ear
  /** Sent to the engine with the call. */
  readonly offer: CallMedia
  /** Connects with the engine's answer; from then on audio flows both ways. Throws an Error that says why it cannot. */
  connect(answer: CallMedia): Promise<void>
  /** Ends the audio. Idempotent. */
  close(): void
}

export interface AudioParts {
  /** The address at which the engine reaches this machine. */
  readonly address: string
  readonly clock: Clock
  readonly log: Log
}

export type OpenAudio = (parts: AudioParts) => Promise<CallAudio>
