import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { builtPages } from '../../test/helpers/pages.ts'
import { at } from '../programs.ts'
import type { Stage } from './stage.ts'

/** Target: ms of the audio thread for a frame of 20 ms, p99. */
const MOST_MS = 1
/** Rates of devices: the usual one, and the one at which everything is converted. */
const RATES = [48_000, 44_100]
const FRAMES = 2_000
/** Every turn computes the same frames, so the fastest turn of a frame tells its cost on a machine that is busy too. */
const TURNS = 5

/**
 * Runs the built module of the audio thread in a page and times how long it computes for each frame of 20 ms; clocks of
 * the audio thread itself are too coarse for that.
 */
const TIMED = `(code, hz, frames) => {
  let Processor
  class Base { port = { addEventListener: (_, hear) => (this.hear = hear), start() {}, postMessage() {} } }
  new Function('registerProcessor', 'AudioWorkletProcessor', 'sampleRate', code)((_, one) => (Processor = one), Base, hz)
  const processor = new Processor()
  const input = [Float32Array.from({ length: 128 }, (_, i) => Math.sin(i) / 3)]
  const output = [new Float32Array(128)]
  const frame = Int16Array.from({ length: 960 }, (_, i) => 8000 * Math.sin(i))
  const times = []
  let ahead = 0
  for (let n = 0; n < frames; n++) {
    processor.hear?.({ data: frame.slice() })
    const fromMs = performance.now()
    for (ahead += hz / 50; ahead >= 128; ahead -= 128) processor.process([input], [output])
    times.push(performance.now() - fromMs)
  }
  return times
}`

/** A page of its own process group, which browsers give clocks of 5 us. */
async function withClock<T>({ page }: Stage, use: (page: Page) => Promise<T>): Promise<T> {
  const server = createServer((_, response) => {
    response.writeHead(200, {
      'content-type': 'text/html',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    })
    response.end('<!doctype html><title>Clock</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = await page.context().newPage()
  try {
    await own.goto(`http://localhost:${(server.address() as AddressInfo).port}`)
    return await use(own)
  } finally {
    await own.close()
    server.close()
  }
}

/** Times both modules of the audio thread at the rates of usual devices. */
export async function measureWorklets(stage: Stage): Promise<void> {
  const { files } = await builtPages()
  await withClock(stage, async (page) => {
    for (const name of ['capture', 'playback']) {
      const path = [...files.keys()].find((file) => file.includes(`/${name}-worklet-`) && file.endsWith('.js'))
      const code = files.get(path ?? '')?.bytes.toString('utf8')
      if (code === undefined) throw new Error(`no module of ${name} is built`)
      for (const hz of RATES) {
        const turns: number[][] = []
        while (turns.length < TURNS)
          turns.push(await page.evaluate<number[]>(`(${TIMED})(${JSON.stringify(code)}, ${hz}, ${FRAMES})`))
        const fastest = turns[0]?.map((_, frame) => Math.min(...turns.map((times) => times[frame] ?? 0))) ?? []
        const [all, own] = [turns.flat(), fastest].map((times) => times.toSorted((a, b) => a - b))
        console.log(
          `${`${name} at ${hz} Hz`.padEnd(22)} p50 ${at(all ?? [], 0.5).toFixed(3)} ms, p99 ${at(all ?? [], 0.99).toFixed(3)} ms a frame of 20 ms, p99 of the fastest of ${TURNS} turns ${at(own ?? [], 0.99).toFixed(3)} ms, target ${MOST_MS} ms`,
        )
      }
    }
  })
}
