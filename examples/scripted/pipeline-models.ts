/**
 * Three model servers that follow a script, where the addresses of real ones are not set: speech to text, text, and
 * text to speech, each over a WebSocket. Samples are PCM16 at 16,000 Hz.
 *
 * Speech to text takes audio; it tells `{type: "speech"}` when somebody begins to speak, and
 * `{type: "transcript", text}` when they stop. The text model takes `{text}` and answers `{text}` sentence by sentence,
 * then `{done: true}`. Text to speech takes `{text}` and answers with audio, then `{done: true}`.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { decodeMulaw } from './mulaw.ts'
import { raised } from './resample.ts'
import { speechOf } from './speech.ts'
import { Turns } from './turns.ts'

const RATE_HZ = 16_000
/** our choice: 100 ms a message. */
const CHUNK_BYTES = (RATE_HZ * 2) / 10
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

async function listen(serve: (socket: WebSocket) => void): Promise<string> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('connection', serve)
  await once(server, 'listening')
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const send = (socket: WebSocket, message: object) => socket.send(JSON.stringify(message))

/** It knows no words: its transcript is how long somebody spoke. */
function speechToText(socket: WebSocket): void {
  const turns = new Turns(RATE_HZ)
  socket.on('message', (audio: Buffer) => {
    const samples = new Int16Array(Uint8Array.from(audio).buffer)
    for (const turn of turns.hear(samples)) {
      if (turn.is === 'started') send(socket, { type: 'speech' })
      else send(socket, { type: 'transcript', text: `${(turn.said.length / RATE_HZ).toFixed(1)} s of speech` })
    }
  })
}

function textModel(socket: WebSocket): void {
  socket.on('message', (data) => {
    const seconds = Math.round(Number.parseFloat(JSON.parse(String(data)).text))
    const count = NUMBERS[Math.min(Math.max(seconds, 1), NUMBERS.length - 1)]
    send(socket, { text: `I heard you speak for about ${count} ${count === 'one' ? 'second' : 'seconds'}.` })
    send(socket, { done: true })
  })
}

function textToSpeech(socket: WebSocket): void {
  socket.on('message', (data) => {
    const audio = raised(decodeMulaw(speechOf(JSON.parse(String(data)).text)), 2)
    for (let at = 0; at < audio.length; at += CHUNK_BYTES) socket.send(audio.subarray(at, at + CHUNK_BYTES))
    send(socket, { done: true })
  })
}

/** Starts all three, on loopback; answers their addresses. */
export async function startPipelineModels(): Promise<{ stt: string; text: string; tts: string }> {
  const [stt, text, tts] = await Promise.all([listen(speechToText), listen(textModel), listen(textToSpeech)])
  return { stt, text, tts }
}
