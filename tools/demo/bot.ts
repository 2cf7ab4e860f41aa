import { once } from 'node:events'
import { WebSocket } from 'ws'

/** A text message of the realtime session (docs/realtime.md). */
export interface SessionMessage {
  readonly type: string
  readonly t: number
  readonly [field: string]: unknown
}

/** A voice bot on a realtime session: speaks PCM16 and records what it hears. */
export class Bot {
  readonly messages: SessionMessage[] = []
  #heard: Buffer[] = []
  #heardBytes = 0
  #socket: WebSocket
  #waiting = new Set<() => void>()

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (message: Buffer, isBinary) => {
      if (isBinary) {
        this.#heard.push(message)
        this.#heardBytes += message.byteLength
      } else {
        this.messages.push(JSON.parse(message.toString('utf8')) as SessionMessage)
      }
      for (const check of this.#waiting) check()
    })
  }

  static async connect(wsUrl: string): Promise<Bot> {
    const socket = new WebSocket(wsUrl)
    const bot = new Bot(socket)
    await once(socket, 'open')
    return bot
  }

  /** Whether the session is open. */
  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  /** Samples heard since the answer. */
  get heardSamples(): number {
    return this.#heardBytes / 2
  }

  heard(fromSample = 0): Int16Array {
    const all = Buffer.concat(this.#heard)
    return new Int16Array(all.buffer, all.byteOffset, all.byteLength / 2).subarray(fromSample)
  }

  speak(samples: Int16Array): void {
    const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
    const most = 32_768
    for (let from = 0; from < bytes.byteLength; from += most) this.#socket.send(bytes.subarray(from, from + most))
  }

  send(message: Readonly<Record<string, unknown>>): void {
    this.#socket.send(JSON.stringify(message))
  }

  /** Waits until the message arrives; rejects with `what` when it does not. */
  async waitFor(
    what: string,
    matches: (message: SessionMessage) => boolean,
    limitMs = 15_000,
  ): Promise<SessionMessage> {
    return await this.#until(what, () => this.messages.find(matches), limitMs)
  }

  async waitForAudio(samples: number, limitMs = 15_000): Promise<void> {
    await this.#until(`${samples} samples of audio`, () => this.heardSamples >= samples || undefined, limitMs)
  }

  close(): void {
    this.#socket.close()
  }

  #until<T>(what: string, find: () => T | undefined, limitMs: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const found = find()
        if (found === undefined) return
        this.#waiting.delete(check)
        clearTimeout(late)
        resolve(found)
      }
      const late = setTimeout(() => {
        this.#waiting.delete(check)
        reject(new Error(`no ${what} within ${limitMs} ms`))
      }, limitMs)
      this.#waiting.add(check)
      check()
    })
  }
}
