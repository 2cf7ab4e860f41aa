import { FRAME_MS, SOCKET_HZ } from '../audio/frame.ts'

/** [dashboard.softphone.2] */
const QUERY = `rate=${SOCKET_HZ}&frameMs=${FRAME_MS}&stats=1&onDisconnect=grace`
/** Our choice, in bytes (1 s of audio): more than this behind a slow network is left out, so that no delay grows. */
const MOST_UNSENT_BYTES = SOCKET_HZ * 2

/** A message of the service; its fields are those of [realtime.server-messages.1] and the rows behind it. */
export interface SocketMessage {
  readonly type: string
  readonly [field: string]: unknown
}

export interface SocketListener {
  /** The socket may be used: `start` came. */
  opened(): void
  heard(frame: Int16Array<ArrayBuffer>): void
  told(message: SocketMessage): void
  /** Comes once, also when the socket never opened; a refused upgrade has code 1006. */
  closed(code: number): void
}

/** The realtime socket of a call. */
export class CallSocket {
  readonly #socket: WebSocket
  readonly #listener: SocketListener

  constructor(wsUrl: string, listener: SocketListener) {
    this.#listener = listener
    this.#socket = new WebSocket(`${wsUrl}&${QUERY}`)
    this.#socket.binaryType = 'arraybuffer'
    this.#socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) => this.#take(data))
    this.#socket.addEventListener('close', ({ code }) => listener.closed(code))
  }

  speak(frame: Int16Array<ArrayBuffer>): void {
    if (this.#isOpen && this.#socket.bufferedAmount < MOST_UNSENT_BYTES) this.#socket.send(frame)
  }

  dtmf(digits: string): void {
    if (this.#isOpen) this.#socket.send(JSON.stringify({ type: 'dtmf', digits }))
  }

  close(): void {
    this.#socket.close(1000)
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  #take(data: ArrayBuffer | string): void {
    if (typeof data !== 'string') return this.#listener.heard(new Int16Array(data))
    const message = JSON.parse(data) as SocketMessage
    if (message.type === 'start') this.#listener.opened()
    this.#listener.told(message)
  }
}
