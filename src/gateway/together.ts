type Values<P extends readonly Promise<unknown>[]> = { [K in keyof P]: Awaited<P[K]> }

/**
 * What all of them open. When one fails the others are still waited for, so that closing finds all that was opened;
 * then its error is thrown.
 */
export async function together<P extends readonly Promise<unknown>[]>(...parts: P): Promise<Values<P>> {
  await Promise.allSettled(parts)
  return (await Promise.all(parts)) as Values<P>
}
