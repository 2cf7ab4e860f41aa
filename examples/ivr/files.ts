/** The files that the menu plays, served over HTTP: the service fetches what `play` names. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { decodeMulaw } from '../scripted/mulaw.ts'
import { speechOf } from '../scripted/speech.ts'
import { wavOf } from './wav.ts'

const RATE_HZ = 8_000
/** our choice: four notes of a chord (C5, E5, G5, C6), 600 ms each. */
const TUNE_HZ = [523, 659, 784, 1_047]
const NOTE_SAMPLES = RATE_HZ * 0.6

/** Notes one after another, each fading out. */
function notes(hertz: readonly number[]): number[] {
  return hertz.flatMap((hz) =>
    Array.from({ length: NOTE_SAMPLES }, (_, at) => {
      const fade = Math.min(1, at / 80, (NOTE_SAMPLES - at) / 800)
      return 8_000 * fade * Math.sin((2 * Math.PI * hz * at) / RATE_HZ)
    }),
  )
}

/** Words, and notes behind them. */
function fileOf(text: string, hertz: readonly number[] = []): Buffer {
  return wavOf(Int16Array.from([...decodeMulaw(speechOf(text)), ...notes(hertz)]), RATE_HZ)
}

export class Files {
  readonly #files = new Map<string, Buffer>([
    ['menu', fileOf('Press one for a tune, two to leave a message, or nine to hang up.')],
    ['tune', fileOf('', TUNE_HZ)],
    ['record', fileOf('Speak after the tone, then press hash.', [880])],
    ['message', fileOf('This is your message.')],
    ['unknown', fileOf('I do not know that key.')],
    ['goodbye', fileOf('Goodbye.')],
  ])

  /** Keeps a recording under a name that nobody guesses; answers the name. */
  add(samples: Int16Array, rateHz: number): string {
    const name = randomUUID()
    this.#files.set(name, wavOf(samples, rateHz))
    return name
  }

  delete(name: string): void {
    this.#files.delete(name)
  }

  serve({ url = '', method }: IncomingMessage, response: ServerResponse): void {
    const file = this.#files.get(/^\/(?<name>[\w-]+)\.wav$/.exec(url)?.groups?.['name'] ?? '')
    if (!file || (method !== 'GET' && method !== 'HEAD')) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': file.length })
    response.end(method === 'GET' ? file : undefined)
  }
}
