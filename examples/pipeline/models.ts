/**
 * The three models of the bot, each behind WebSockets of its own. Their words stand here alone: change them to yours.
 */
import { on, once } from 'node:events'
import { WebSocket } from 'ws'

const { STT_URL = '', TEXT_URL = '', TTS_URL = '' } = process.env

export interface Urls {
  readonly stt: string
  readonly text: string
  readonly tts: string
}

export interface Models {
  /** Takes what the caller says, as PCM16 at 16,000 Hz. */
  hear(audio: Buffer): void
  /** The sentences of an answer, one after another. */
  think(text: string): AsyncGenerator<string>
  /** The audio of a sentence, piece by piece, as PCM16 at 16,000 Hz. */
  speak(sentence: string): AsyncGenerator<Buffer>
  close(): void
}

export interface Heard {
  /** The caller began to speak. */
  speech(): void
  /** The caller said this, and waits. */
  transcript(text: string): void
}

/** Where the models are: those of the environment, else scripted ones on this machine. */
export async function findModels(): Promise<Urls> {
  if (STT_URL && TEXT_URL && TTS_URL) return { stt: STT_URL, text: TEXT_URL, tts: TTS_URL }
  const { startPipelineModels } = await import('../scripted/pipeline-models.ts')
  console.log('STT_URL, TEXT_URL and TTS_URL are not set: scripted models answer')
  return await startPipelineModels()
}

async function connect(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  return socket
}

/**
 * What a model answers to one request, up to its `done`. Each request has a socket of its own, so whoever stops reading
 * stops the model, and no answer is mixed with one that was interrupted.
 */
async function* answers(url: string, request: object): AsyncGenerator<Buffer | string> {
  const socket = await connect(url)
  const messages = on(socket, 'message', { close: ['close'] })
  try {
    socket.send(JSON.stringify(request))
    for await (const [data, isBinary] of messages as AsyncIterable<[Buffer, boolean]>) {
      const { text = '', done = false } = isBinary ? {} : JSON.parse(String(data))
      if (done) return
      yield isBinary ? data : text
    }
  } finally {
    socket.close()
  }
}

async function* onlyOf<T>(all: AsyncGenerator<unknown>, isOne: (answer: unknown) => answer is T): AsyncGenerator<T> {
  for await (const answer of all) if (isOne(answer)) yield answer
}

/** Connects to the models for one call. */
export async function openModels(urls: Urls, heard: Heard): Promise<Models> {
  const stt = await connect(urls.stt)
  stt.on('message', (data) => {
    const message = JSON.parse(String(data))
    if (message.type === 'speech') heard.speech()
    if (message.type === 'transcript') heard.transcript(message.text)
  })
  return {
    hear: (audio) => stt.send(audio),
    think: (said) => onlyOf(answers(urls.text, { text: said }), (answer) => typeof answer === 'string'),
    speak: (sentence) => onlyOf(answers(urls.tts, { text: sentence }), (answer) => Buffer.isBuffer(answer)),
    close: () => stt.close(),
  }
}
