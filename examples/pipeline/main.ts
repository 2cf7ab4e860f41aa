/**
 * A voice bot of three models: speech to text, text, text to speech. A server that a call is connected to, with dialect
 * `vonage`: audio is binary, the rest is JSON.
 */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { findModels, openModels, type Urls } from './models.ts'

const { PORT = '8765', BOT_TOKEN = '' } = process.env
const GREETING = 'Hello, tell me something, and I will say how long it took.'

/** One call. */
async function talk(call: WebSocket, urls: Urls): Promise<void> {
  const send = (message: object) => call.send(JSON.stringify(message))
  /** Counts what the bot began to say: whatever is of an earlier count was interrupted. */
  let turn = 0

  async function say(sentences: AsyncIterable<string> | Iterable<string>): Promise<void> {
    const mine = ++turn
    for await (const sentence of sentences) {
      if (mine !== turn) return
      console.log(`bot: ${sentence}`)
      for await (const audio of models.speak(sentence)) {
        if (mine !== turn) return
        call.send(audio)
      }
    }
    // Comes back when the caller has heard all of it.
    send({ action: 'notify', payload: { heard: mine } })
  }

  const early: Buffer[] = []
  call.on('message', (data: Buffer, isBinary) => {
    if (isBinary) early.push(data)
  })
  const models = await openModels(urls, {
    speech() {
      turn += 1
      send({ action: 'clear' })
      console.log('the caller speaks')
    },
    transcript: (text) => {
      console.log(`caller: ${text}`)
      void say(models.think(text))
    },
  })
  call.on('close', () => models.close())
  call.removeAllListeners('message')
  early.forEach((audio) => models.hear(audio))
  call.on('message', (data: Buffer, isBinary) => {
    if (isBinary) return models.hear(data)
    const message = JSON.parse(String(data))
    if (message.event === 'websocket:notify') console.log('the caller heard it')
    if (message.event === 'websocket:dtmf') void press(message.digit)
  })

  async function press(digit: string): Promise<void> {
    console.log(`key ${digit}`)
    // A word of the service: that platform's socket cannot press keys.
    if (digit !== '#') return send({ type: 'dtmf', digits: digit })
    send({ action: 'clear' })
    await say(['Goodbye.'])
    // The call ends once this is heard, as `onDisconnect` says.
    call.close(1000)
  }

  await say([GREETING])
}

const urls = await findModels()
const server = new WebSocketServer({
  host: '127.0.0.1',
  port: Number(PORT),
  verifyClient: ({ req }: { req: IncomingMessage }) =>
    BOT_TOKEN === '' || req.headers.authorization === `Bearer ${BOT_TOKEN}`,
})
server.on('connection', (call) => {
  call.on('close', () => console.log('the call is over'))
  talk(call, urls).catch((error: unknown) => {
    console.log(`a model is not there: ${String(error)}`)
    call.close(1011)
  })
})
await once(server, 'listening')
console.log(`Listens on ws://127.0.0.1:${(server.address() as AddressInfo).port}/`)
