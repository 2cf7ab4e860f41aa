import { once } from 'node:events'
import { WebSocket } from 'ws'
import { until, within } from './until.ts'

export interface Upgrade {
  readonly status: number
  readonly body: string
}

/** A client of the realtime session that keeps everything it receives, with arrival times. */
export class SessionClient {
  readonly messages: { readonly type: string; readonly atMs: number; readonly [field: string]: any }[] = []
  readonly frameSizes: number[] = []
  readonly frameTimesMs: number[] = []
  /** What arrived first: the type of a text message, or `audio`; null before. */
  first: string | null = null
  closed: { readonly code: number; readonly reason: string } | null = null
  readonly socket: WebSocket
  #chunks: Buffer[] = []

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (message: Buffer, isBinary) => {
      if (isBinary) {
        this.first ??= 'audio'
        this.frameSizes.push(message.byteLength)
        this.frameTimesMs.push(Date.now())
        this.#chunks.push(message)
        return
      }
      const parsed = JSON.parse(message.toString('utf8'))
      this.first ??= parsed.type
      // Of `speech`, the field of this name is the service's.
      this.messages.push({ atMs: Date.now(), ...parsed })
    })
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString('utf8') }
    })
    socket.on('error', () => {})
  }

  static async connect(wsUrl: string, query = ''): Promise<SessionClient> {
    const socket = new WebSocket(query === '' ? wsUrl : `${wsUrl}&${query}`)
    const client = new SessionClient(socket)
    await within('the session opens', once(socket, 'open'))
    return client
  }

  /** Tries to connect; resolves to the status of the refusal, or to 101 (and closes). */
  static async attempt(wsUrl: string, query = ''): Promise<Upgrade> {
    const socket = new WebSocket(query === '' ? wsUrl : `${wsUrl}&${query}`)
    return await within(
      'the session opens, or is refused',
      new Promise<Upgrade>((resolve) => {
        socket.on('open', () => resolve({ status: 101, body: '' }))
        socket.on('error', () => resolve({ status: 0, body: '' }))
        socket.on('unexpected-response', (_request, response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
          )
        })
      }),
    )
  }

  get samples(): number {
    return this.frameSizes.reduce((sum, size) => sum + size, 0) / 2
  }

  /** The binary messages, one after the other. */
  get frames(): readonly Buffer[] {
    return this.#chunks
  }

  audio(fromSample = 0): Int16Array {
    const all = Buffer.concat(this.#chunks)
    return new Int16Array(all.buffer.slice(all.byteOffset, all.byteOffset + all.byteLength)).subarray(fromSample)
  }

  speak(samples: Int16Array, chunkBytes = 32_000): void {
    const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
    for (let from = 0; from < bytes.byteLength; from += chunkBytes)
      this.socket.send(bytes.subarray(from, from + chunkBytes))
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message))
  }

  of(type: string): readonly any[] {
    return this.messages.filter((message) => message.type === type)
  }

  async until(type: string, matches: (message: any) => boolean = () => true): Promise<any> {
    return await this.#until(`a ${type} message arrives`, (message) => message.type === type && matches(message))
  }

  /** Waits until the call has the status, which it may have had before the socket opened. */
  async untilStatus(status: string): Promise<any> {
    return await this.#until(
      `the call is ${status}`,
      (message) => (message.type === 'call' || message.type === 'start') && message['status'] === status,
    )
  }

  async #until(what: string, matches: (message: any) => boolean): Promise<any> {
    return await until(what, () => this.messages.find(matches)).catch((error: unknown) => {
      throw new Error(
        `${String(error)}: ${JSON.stringify({ closed: this.closed, frames: this.frameSizes.length, messages: this.messages })}`,
      )
    })
  }

  async untilClosed(): Promise<{ code: number; reason: string }> {
    return await until('the socket closes', () => this.closed)
  }

  close(): void {
    this.socket.close()
  }
}
