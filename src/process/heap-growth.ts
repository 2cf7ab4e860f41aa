import { setFlagsFromString } from 'node:v8'

/**
 * Our choice, in percent of what lived at the last full collection: V8 collects again when the heap has grown by this
 * much. Left alone V8 lets a heap grow up to four times, and does not collect once the program is quiet: garbage of
 * large bodies stayed for 15 s after the last of them, 34 MB beside 52 MB (measured, docs/performance.md). These
 * collections mark concurrently; a forced one stops the program.
 */
const GROWTH_PERCENT = 50

/**
 * Bounds how far the garbage of this process grows. It must be called early, while the heap is small; it holds for the
 * threads of the process too.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
}
