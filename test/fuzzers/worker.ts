/** Fuzzes one target, and shows its parent which input it reads. */
import { parentPort, workerData } from 'node:worker_threads'
import { fuzz, LONGEST } from './fuzz.ts'
import { readCorpus, writeCorpus } from './corpus.ts'
import { TARGETS } from './targets.ts'

/** What the worker is asked to do. */
export interface Work {
  readonly name: string
  readonly inputs: number
  readonly seed: number
  readonly isKept: boolean
  /** The count of inputs, the length of the one that is read, then the input. */
  readonly shown: SharedArrayBuffer
}

/** What it says at the end. */
export interface Report {
  readonly tried: number
  readonly ways: number
  readonly faults: readonly { readonly bytes: string; readonly error: string }[]
}

const { name, inputs, seed, isKept, shown } = workerData as Work
const target = TARGETS.get(name)
if (!target) throw new Error(`there is no target ${name}`)
const [counts, current] = [new Int32Array(shown, 0, 2), new Uint8Array(shown, 8)]
const { tried, ways, faults } = await fuzz(target, {
  inputs,
  seed,
  corpus: readCorpus(name),
  taking(bytes, count) {
    const seen = bytes.subarray(0, LONGEST)
    current.set(seen)
    counts.set([count, seen.length])
  },
})
if (isKept) writeCorpus(name, ways.values())
const told = faults.map(({ bytes, error }) => ({
  bytes: bytes.toString('base64'),
  error: error instanceof Error ? (error.stack ?? error.message) : String(error),
}))
const report: Report = { tried, ways: ways.size, faults: told }
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
parentPort?.postMessage(report)
