/** Makes an opening that runs once: later calls wait for the first. One that failed is tried again by the next call. */
export function openOnce(open: () => Promise<void>): () => Promise<void> {
  let opened: Promise<void> | null = null
  return () =>
    (opened ??= open().catch((error: unknown) => {
      opened = null
      throw error
    }))
}
