type Values<P extends readonly Promise<unknown>[]> = { [K in keyof P]: Awaited<P[K]> }

/**
 * Waits for all parts. When one fails, the others are still awaited, so that closing finds everything that was opened;
 * then its error is thrown.
 */
export async function together<P extends readonly Promise<unknown>[]>(...parts: P): Promise<Values<P>> {
  await Promise.allSettled(parts)
  return (await Promise.all(parts)) as Values<P>
}
