import type { CallMedia } from '../../../src/domain/call-media.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Log } from '../../../src/ports/log.ts'
import type { Ear } from './tone.ts'

/** The check's end of the audio of one call: it sings, and hears. */
export interface CallAudio {
  readonly ear: Ear
  /** What is told to the engine with the offer. */
  readonly offer: CallMedia
  /** The peer answered with this: from now on audio goes both ways. Throws an Error that says why it cannot. */
  connect(answer: CallMedia): Promise<void>
  /** Idempotent. */
  close(): void
}

export interface AudioParts {
  /** That the engine reaches this machine by. */
  readonly address: string
  readonly clock: Clock
  readonly log: Log
}

export type OpenAudio = (parts: AudioParts) => Promise<CallAudio>
