import { Random } from '../../simulation/random.ts'
import type { Target } from './target.ts'
import { twistJson } from './twist-json.ts'
import { twist } from './twist.ts'

/** Our choice, in bytes: long enough for each way of the readers, short enough for thousands a second. */
export const LONGEST = 4_096
/** Our choice: most inputs that others are made of. */
const MOST_KEPT = 512

export interface Fault {
  readonly bytes: Buffer
  readonly error: unknown
}

export interface Fuzzed {
  readonly tried: number
  /** The first input that went each way, by the words of the reader. */
  readonly ways: ReadonlyMap<string, Buffer>
  /** The first input of each error. */
  readonly faults: readonly Fault[]
}

export interface FuzzOptions {
  readonly inputs: number
  readonly seed: number
  /** Inputs of before. */
  readonly corpus: readonly Buffer[]
  /** Told of each input before it is taken, and how many were. */
  readonly taking?: (bytes: Buffer, tried: number) => void
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name} ${error.stack?.split('\n')[1]?.trim() ?? ''}` : String(error)
}

/** Reads inputs that follow from a seed: each is made of one that went a way of its own. */
export async function fuzz({ starts, words, take }: Target, options: FuzzOptions): Promise<Fuzzed> {
  const random = new Random(options.seed)
  const ways = new Map<string, Buffer>()
  const faults = new Map<string, Fault>()
  let tried = 0
  const read = async (bytes: Buffer): Promise<void> => {
    options.taking?.(bytes, tried)
    tried++
    try {
      const way = await take(bytes)
      if (ways.size < MOST_KEPT && !ways.has(way)) ways.set(way, bytes)
    } catch (error) {
      const text = textOf(error)
      if (!faults.has(text)) faults.set(text, { bytes, error })
    }
  }
  for (const bytes of [...starts.map((start) => Buffer.from(start)), ...options.corpus]) await read(bytes)
  while (tried < options.inputs) {
    const pool = [...ways.values()]
    for (let left = 256; left > 0 && tried < options.inputs; left--) {
      const [one, other] = [random.pick(pool), random.pick(pool)]
      const inValues = random.chance(50) ? twistJson(one, other, random) : null
      await read(inValues && inValues.length <= LONGEST ? inValues : twist(one, other, words, random, LONGEST))
    }
  }
  return { tried, ways, faults: [...faults.values()] }
}
