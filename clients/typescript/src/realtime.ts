import { openSocket } from '#socket'
import type { RealtimeClientMessage, RealtimeServerMessage } from './types.gen.ts'

/** How a session speaks and what it holds, as the query of its address says it. */
export interface RealtimeOptions {
  /** A session that talks (`talk`), or hears alone. */
  readonly mode?: 'talk' | 'listen'
  /** Samples a second both ways; 16000. */
  readonly rate?: 8000 | 16000 | 24000 | 48000
  readonly inRate?: 8000 | 16000 | 24000 | 48000
  readonly outRate?: 8000 | 16000 | 24000 | 48000
  readonly frameMs?: 10 | 20 | 40 | 60
  readonly codec?: 'pcm16' | 'opus'
  readonly speech?: 'on' | 'off'
  readonly prebufferMs?: number
  /** Seconds between `stats`. */
  readonly stats?: number
  readonly onDisconnect?: 'keep' | 'hangup' | 'grace'
}

/** Audio of the peer: PCM16LE mono, or an Opus packet behind 4 bytes. */
export interface RealtimeAudio {
  readonly type: 'audio'
  readonly audio: Uint8Array
}
export type RealtimeEvent = RealtimeAudio | RealtimeServerMessage

/** Why a session ended: the service's close code. */
export interface RealtimeEnd {
  readonly code: number
  readonly reason: string
}

/** What a session needs of a socket, whichever platform brings it. */
export interface Socket {
  send(data: string | Uint8Array): void
  close(code: number): void
  /** Stops and goes on reading, where the platform can. */
  pause?(): void
  resume?(): void
}

export interface SocketEvents {
  readonly onText: (text: string) => void
  readonly onBinary: (bytes: Uint8Array) => void
  readonly onClose: (end: RealtimeEnd) => void
}

/**
 * The realtime audio of a call as a stream: `for await (const event of session)` gives audio and messages in their
 * order, until the session ends. What is not read waits, and then is not taken from the socket where the platform can
 * do that; the service closes with 4408 what it cannot send for 10 s.
 */
export class RealtimeSession implements AsyncIterable<RealtimeEvent> {
  /** Resolves once the session is over. */
  readonly ended: Promise<RealtimeEnd>
  readonly #waiting: RealtimeEvent[] = []
  #socket: Socket | null = null
  #isOver = false
  #wake = (): void => {}
  #end: (end: RealtimeEnd) => void = () => {}

  private constructor() {
    this.ended = new Promise((resolve) => (this.#end = resolve))
  }

  /** Connects to the `wsUrl` of a session. Rejects when the service refuses. */
  static async connect(wsUrl: string, options: Omit<RealtimeOptions, 'mode'> = {}): Promise<RealtimeSession> {
    const url = new URL(wsUrl)
    for (const [name, value] of Object.entries(options)) if (value !== undefined) url.searchParams.set(name, `${value}`)
    const session = new RealtimeSession()
    session.#socket = await openSocket(url.href, {
      onText: (text) => session.#take(JSON.parse(text) as RealtimeServerMessage),
      onBinary: (audio) => session.#take({ type: 'audio', audio }),
      onClose: (end) => {
        session.#isOver = true
        session.#wake()
        session.#end(end)
      },
    })
    return session
  }

  /** Sends a message, in order with the audio around it. */
  send(message: RealtimeClientMessage): void {
    this.#socket?.send(JSON.stringify(message))
  }

  /** Says audio to the peer: PCM16LE mono at the rate of the session. It may come faster than it is said. */
  speak(audio: Uint8Array): void {
    // The service takes 64 KiB at once; an even number keeps samples whole.
    for (let at = 0; at < audio.length; at += MOST_BYTES) this.#socket?.send(audio.subarray(at, at + MOST_BYTES))
  }

  /** Leaves; the call goes on as `onDisconnect` says. */
  close(): void {
    this.#socket?.close(1000)
  }

  async *[Symbol.asyncIterator](): AsyncIterator<RealtimeEvent> {
    for (;;) {
      const event = this.#waiting.shift()
      if (this.#waiting.length < RESUMED) this.#socket?.resume?.()
      if (event !== undefined) yield event
      else if (this.#isOver) return
      else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  #take(event: RealtimeEvent): void {
    this.#waiting.push(event)
    if (this.#waiting.length > PAUSED) this.#socket?.pause?.()
    this.#wake()
  }
}

const MOST_BYTES = 65_536
/** Our choice, in events: 10 s of audio wait at most, and reading goes on below 5 s. */
const PAUSED = 500
const RESUMED = 250
