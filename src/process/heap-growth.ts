import { setFlagsFromString } from 'node:v8'

/**
 * Our choice, in percent of what lived at the last full collection: V8 collects again when the heap has grown by so
 * much. Left alone it lets a heap grow up to four times, and a program that has become quiet does not look again:
 * garbage of large bodies that got old stood 15 s after the last of them, 34 MB beside 52 MB (measured,
 * docs/performance.md). These collections mark beside the program; a forced one stops it.
 */
const GROWTH_PERCENT = 50

/**
 * Bounds how far the garbage of this process grows. To be called before there is a heap to speak of; holds for its
 * threads too.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
}
