import { pause } from './awaited.ts'

/** Ms between two looks at what is due. */
const TICK_MS = 2

/** Begins `total` things at `perSecond` a second, however long each takes; resolves to what they brought, in order. */
export async function atRate<T>(perSecond: number, total: number, begin: (nth: number) => Promise<T>): Promise<T[]> {
  const startMs = performance.now()
  const begun: Promise<T>[] = []
  while (begun.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startMs) * perSecond) / 1000))
    while (begun.length < due) begun.push(begin(begun.length))
    await pause(TICK_MS)
  }
  return await Promise.all(begun)
}
