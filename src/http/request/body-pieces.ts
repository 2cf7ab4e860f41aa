import type { IncomingMessage } from 'node:http'
import { BODY_BYTES, BODY_MEDIA_BYTES } from '../../domain/limits.ts'
import { letGo } from './let-go.ts'

/**
 * our choice, in bytes: this much of a refused body is still read and dropped, so that a client that sends before it
 * listens sees the refusal instead of a reset connection. It covers the largest body, and a little of one that is
 * larger still.
 */
const DRAINED_BYTES = BODY_MEDIA_BYTES + BODY_BYTES

/**
 * Hands a body to `take` piece by piece. While a promise of `take` is pending, the socket is not read. Rejects with
 * what `take` threw or rejected with. Resolves to false when the client left, or was cut for being too slow, which is
 * no fault of the service.
 *
 * It listens to the request's events, because iterating over the stream costs several times as much on every request.
 * The socket is always kept, so that an answer can still be written.
 */
export function takeBody(req: IncomingMessage, take: (piece: Buffer) => Promise<void> | null): Promise<boolean> {
  // The request may have broken before this listens: its events do not come again.
  if (req.destroyed) return Promise.resolve(false)
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  let refused: { readonly by: unknown } | null = null
  let dropped = 0
  let isWhole = false
  let inWork = Promise.resolve()
  const refuse = (by: unknown): void => {
    refused ??= { by }
  }
  req.on('data', (piece: Buffer) => {
    if (refused) {
      dropped += piece.length
      letGo(piece)
      if (dropped <= DRAINED_BYTES) return
      req.pause()
      return reject(refused.by)
    }
    try {
      const wait = take(piece)
      if (!wait) return
      req.pause()
      inWork = wait.catch(refuse).then(() => void req.resume())
    } catch (error) {
      refuse(error)
    }
  })
  // A pause does not hold back the `end` event of a body whose last piece was buffered, so `end` can come while that
  // piece is in work.
  req.once('end', () => {
    isWhole = true
    void inWork.then(() => (refused ? reject(refused.by) : resolve(true)))
  })
  const leave = (): void => {
    if (!isWhole) resolve(false)
  }
  req.once('error', leave)
  req.once('close', leave)
  return promise
}
