/** Ms between two looks at something that is awaited. */
const LOOK_MS = 100
const PATIENCE_MS = 60_000

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

/** Looks until there is something; throws after a minute. */
export async function awaited<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_MS) {
    const found = await look().catch(() => null)
    if (found !== null) return found
    await pause(LOOK_MS)
  }
  throw new Error(`gave up waiting for ${what}`)
}
