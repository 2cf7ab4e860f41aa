import { refuse, fail, succeed } from '../../src/domain/errors.ts'
import { PLAYBACK_QUEUE } from '../../src/domain/limits.ts'
import type { Outcome } from '../../src/domain/errors.ts'
import type { PlaybackStatus } from '../../src/domain/call.ts'
import type { PlaybackId } from '../../src/domain/ids.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Playable, PlayableSource } from './playable.ts'
import type { PlayoutQueue } from './playout-queue.ts'
import type { QueuedFile } from './playout-items.ts'

/** Who asked for a file. REST gets refusals in its answer, a socket as `play` messages. */
export type PlaybackOrigin = 'rest' | 'socket'

export interface PlaybackRequest {
  readonly playbackId: PlaybackId
  readonly mediaUrl: string
  readonly hangupAfterPlay: boolean
  readonly origin: PlaybackOrigin
}

class PlaybackFile implements QueuedFile {
  readonly playbackId: PlaybackId
  readonly mediaUrl: string
  readonly hangupAfterPlay: boolean
  readonly origin: PlaybackOrigin
  playable: Playable | null = null
  /** True when the file left the queue before its source was opened. */
  isDropped = false

  constructor(request: PlaybackRequest) {
    this.playbackId = request.playbackId
    this.mediaUrl = request.mediaUrl
    this.hangupAfterPlay = request.hangupAfterPlay
    this.origin = request.origin
  }
}

export type TellPlayback = (
  file: QueuedFile & { readonly origin: PlaybackOrigin },
  status: PlaybackStatus,
  error?: string,
) => void

/**
 * The files of one call. A file takes its place in the playout queue when it is asked for, so that a slow host delays
 * what follows it instead of changing the order.
 */
export class PlaybackQueue {
  readonly #source: PlayableSource
  readonly #queue: PlayoutQueue
  readonly #clock: Clock
  readonly #tell: TellPlayback
  readonly #files = new Set<PlaybackFile>()

  constructor(source: PlayableSource, queue: PlayoutQueue, clock: Clock, tell: TellPlayback) {
    this.#source = source
    this.#queue = queue
    this.#clock = clock
    this.#tell = tell
  }

  /** Adds a file. Refusals: those of PlayableSource.open, and PLAYBACK_QUEUE_FULL ([calls.play.6]: 20 queued files). */
  async add(request: PlaybackRequest): Promise<Outcome<null>> {
    const file = new PlaybackFile(request)
    if (this.#files.size >= PLAYBACK_QUEUE) {
      const refusal = refuse(
        'PLAYBACK_QUEUE_FULL',
        `At most ${PLAYBACK_QUEUE} files of a call may wait: try again once one was played`,
      )
      if (file.origin === 'socket') this.#tell(file, 'FAILED', refusal.code)
      return fail(refusal)
    }
    this.#files.add(file)
    this.#queue.pushFile(file)
    const opened = await this.#open(file.mediaUrl)
    if (!opened.ok) {
      this.#files.delete(file)
      this.#queue.removeFile(file)
      if (file.origin === 'socket') this.#tell(file, 'FAILED', opened.error.code)
      return opened
    }
    this.#opened(file, opened.value)
    return succeed(null)
  }

  /** Called by the playout queue when it begins a file or is done with it. */
  progress(queued: QueuedFile, status: 'PLAYING' | 'FINISHED' | 'FAILED', error?: string): void {
    const file = [...this.#files].find((known) => known === queued)
    if (!file) return
    if (status === 'PLAYING') return this.#tell(file, status)
    this.#files.delete(file)
    file.isDropped = true
    // A file that is still being opened is reported when its request has been answered.
    if (!file.playable) return
    file.playable.release()
    this.#tell(file, status, error)
  }

  close(): void {
    for (const file of this.#files) {
      file.isDropped = true
      file.playable?.release()
    }
    this.#files.clear()
  }

  /** Opens a file. A fault of the source costs that file, not the process. */
  async #open(mediaUrl: string): Promise<Outcome<Playable>> {
    try {
      return await this.#source.open(mediaUrl)
    } catch {
      return fail(refuse('INTERNAL', 'The file could not be opened'))
    }
  }

  #opened(file: PlaybackFile, playable: Playable): void {
    if (!file.isDropped) {
      file.playable = playable
      this.#tell(file, 'QUEUED')
      return
    }
    playable.release()
    this.#clock.after(0, () => this.#tell(file, 'FAILED', 'CLEARED'))
  }
}
