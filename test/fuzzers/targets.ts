import { BINARIES } from './binaries.ts'
import type { Target } from './target.ts'
import { TEXTS } from './texts.ts'

/** Everything that reads what strangers send, by name. */
export const TARGETS: ReadonlyMap<string, Target> = new Map(
  [...TEXTS, ...BINARIES].map((target) => [target.name, target]),
)
