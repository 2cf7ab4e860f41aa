import { createHash } from 'node:crypto'
import { PlaybackQueue } from '../playback/playback-queue.ts'
import { PlayoutQueue } from '../playback/playout-queue.ts'
import type { PlaybackStatus } from '../../src/domain/call.ts'
import type { Outcome } from '../../src/domain/errors.ts'
import type { CallId } from '../../src/domain/ids.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { MediaEvent } from '../../src/ports/media.ts'
import type { OutgoingFrame } from '../audio/frame.ts'
import type { FrameSource } from '../legs/call-leg.ts'
import type { PlayableSource } from '../playback/playable.ts'
import type { PlaybackOrigin, PlaybackRequest } from '../playback/playback-queue.ts'
import type { PlayoutEvent, QueuedFile } from '../playback/playout-items.ts'
import type { CallSockets } from '../realtime/call-sockets.ts'
import type { ServerMessage } from '../../src/domain/realtime-messages.ts'

/** What the playouts of a host's calls share. */
export interface PlayoutParts {
  readonly clock: Clock
  readonly playables: PlayableSource
  /** Reports to the node that owns the call. */
  emit(event: MediaEvent): void
}

/** Actions of the queue on its call, when their turn comes. */
export interface PlayoutActs {
  /** False when the peer takes no digits. */
  sendDigits(digits: string): boolean
  hangUp(reason: string | null): void
}

const PLAY_WORDS: Readonly<Record<PlaybackStatus, 'queued' | 'started' | 'finished' | 'failed'>> = {
  QUEUED: 'queued',
  PLAYING: 'started',
  FINISHED: 'finished',
  FAILED: 'failed',
}

/** The audio that the peer hears: socket audio and files in one order, with notices to those concerned. */
export class CallPlayout implements FrameSource {
  readonly queue = new PlayoutQueue()
  readonly #callId: CallId
  readonly #sockets: CallSockets
  readonly #parts: PlayoutParts
  readonly #acts: PlayoutActs
  readonly #files: PlaybackQueue
  /** Events of the frame of this slot. */
  #reached: PlayoutEvent[] = []

  constructor(callId: CallId, sockets: CallSockets, parts: PlayoutParts, acts: PlayoutActs) {
    this.#callId = callId
    this.#sockets = sockets
    this.#parts = parts
    this.#acts = acts
    this.#files = new PlaybackQueue(parts.playables, this.queue, parts.clock, (file, status, error) =>
      this.#tellFile(file, status, error),
    )
  }

  /** The frame of this slot. Digits start within the slot; all other events are told after the frame is out. */
  take(): OutgoingFrame {
    this.#reached = []
    const frame = this.queue.take(this.#reached)
    for (const event of this.#reached) if (event.kind === 'digits') this.tell(event)
    return frame
  }

  sent(): void {
    for (const event of this.#reached) if (event.kind !== 'digits') this.tell(event)
  }

  /** Refusals: those of PlaybackQueue.add. */
  play(request: PlaybackRequest): Promise<Outcome<null>> {
    return this.#files.add(request)
  }

  /** Tells an event of the queue to those concerned. */
  tell(event: PlayoutEvent): void {
    const { talker } = this.#sockets
    switch (event.kind) {
      case 'mark': {
        const { name, status, playedMs, payload } = event
        return talker?.tell({ type: 'mark', name, status, playedMs, ...(payload === undefined ? {} : { payload }) })
      }
      case 'drained':
        return talker?.tell({ type: 'drained', playedMs: event.playedMs })
      case 'buffer':
        return talker?.tellBuffer(event)
      case 'file':
        return this.#files.progress(event.file, event.status, event.error)
      case 'hangup':
        return this.#acts.hangUp(event.reason)
      case 'digits':
        if (!this.#acts.sendDigits(event.digits)) talker?.warn('DTMF_UNAVAILABLE', 'the peer takes no telephone events')
        return
      default:
        event satisfies never
    }
  }

  /** Gives up the files. */
  close(): void {
    this.#files.close()
  }

  #tellFile(file: QueuedFile & { readonly origin: PlaybackOrigin }, status: PlaybackStatus, error?: string): void {
    const { playbackId, mediaUrl, hangupAfterPlay, origin } = file
    const message: ServerMessage = {
      type: 'play',
      status: PLAY_WORDS[status],
      playbackId,
      mediaUrlHash: createHash('sha256').update(mediaUrl).digest('hex'),
      ...(error === undefined ? {} : { error }),
    }
    this.#sockets.tellAll(message)
    // The gateway knows from its answer that a file of REST is queued.
    if (status === 'QUEUED' && origin === 'rest') return
    this.#parts.emit({
      type: 'playback',
      callId: this.#callId,
      playbackId,
      mediaUrl,
      hangupAfterPlay,
      status,
      ...(error === undefined ? {} : { error }),
    })
  }
}
