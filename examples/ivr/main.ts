/**
 * A menu by keys: plays files, records a message and plays it back. A server that a call is connected to, in the
 * service's own words (dialect `native`), and the HTTP server of its files, on one port.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { Files } from './files.ts'

const { PORT = '8765', BOT_TOKEN = '', FILES_URL = '' } = process.env
/** A second of PCM16; the setting `voice` asks for this rate. */
const RATE_HZ = 16_000
/** our choice: a message is cut after a minute. */
const MOST_BYTES = RATE_HZ * 2 * 60

const files = new Files()
let filesUrl = FILES_URL

/** One call. */
class Menu {
  readonly #call: WebSocket
  /** True from the key that asks for a message until the tone behind which it begins. */
  #isAsking = false
  /** What the caller says while a message is recorded; null while none is. */
  #message: Buffer[] | null = null
  #kept: string[] = []

  constructor(call: WebSocket) {
    this.#call = call
  }

  begin(): void {
    const call = this.#call
    call.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.#hear(data)
      else this.#read(JSON.parse(String(data)))
    })
    call.on('close', () => this.#kept.forEach((name) => files.delete(name)))
  }

  #send(message: object): void {
    this.#call.send(JSON.stringify(message))
  }

  #play(name: string, hangupAfterPlay = false): void {
    this.#send({ type: 'play', mediaUrl: `${filesUrl}/${name}.wav`, hangupAfterPlay })
  }

  #hear(audio: Buffer): void {
    if (this.#message === null) return
    this.#message.push(audio)
    if (this.#message.length * audio.length > MOST_BYTES) this.#playBack()
  }

  #read(message: { type: string; digit?: string; status?: string; error?: string }): void {
    if (message.type === 'start') this.#play('menu')
    if (message.type === 'dtmf') this.#press(message.digit ?? '')
    if (message.type !== 'play') return
    if (message.error) console.log(`a file failed: ${message.error}`)
    if (message.status !== 'finished' || !this.#isAsking) return
    this.#isAsking = false
    this.#message = []
    console.log('records')
  }

  #press(digit: string): void {
    console.log(`key ${digit}`)
    // Whatever is played makes way for what the key asks for.
    this.#send({ type: 'clear' })
    if (this.#message !== null) return this.#playBack()
    if (digit === '9') return this.#play('goodbye', true)
    this.#isAsking = digit === '2'
    if (this.#isAsking) return this.#play('record')
    this.#play(digit === '1' ? 'tune' : 'unknown')
    this.#play('menu')
  }

  #playBack(): void {
    const bytes = Uint8Array.from(Buffer.concat(this.#message ?? []))
    this.#message = null
    console.log(`a message of ${(bytes.length / 2 / RATE_HZ).toFixed(1)} s`)
    const name = files.add(new Int16Array(bytes.buffer), RATE_HZ)
    this.#kept.push(name)
    this.#play('message')
    this.#play(name)
    this.#play('menu')
  }
}

const server = createServer((request, response) => files.serve(request, response))
const sockets = new WebSocketServer({
  server,
  verifyClient: ({ req }: { req: IncomingMessage }) =>
    BOT_TOKEN === '' || req.headers.authorization === `Bearer ${BOT_TOKEN}`,
})
sockets.on('connection', (call) => {
  new Menu(call).begin()
  call.on('close', () => console.log('the call is over'))
})
server.listen(Number(PORT), '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
filesUrl ||= `http://127.0.0.1:${port}`
console.log(`Listens on ws://127.0.0.1:${port}/`)
