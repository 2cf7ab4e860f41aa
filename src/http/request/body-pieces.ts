import type { IncomingMessage } from 'node:http'
import { BODY_BYTES, BODY_MEDIA_BYTES } from '../../domain/limits.ts'
import { letGo } from './let-go.ts'

/**
 * Our choice: this much of a body that is refused is still read and dropped, so that a client which sends before it
 * listens sees the refusal instead of a reset connection: the largest body, and a little of one that is larger still.
 */
const DRAINED_BYTES = BODY_MEDIA_BYTES + BODY_BYTES

/**
 * Hands a body over as it comes. Where `take` answers a promise, the socket stays unread until it resolves. Rejects
 * with what `take` threw or rejected with. False: the client left, or was cut for being too slow, which is no fault of
 * ours.
 *
 * By the request's events: iterating over the stream costs several times as much, on every request. The socket is kept
 * in any case, so that an answer can still be written.
 */
export function takeBody(req: IncomingMessage, take: (piece: Buffer) => Promise<void> | null): Promise<boolean> {
  // It may have broken before anybody listened: its events do not come again.
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
  // A pause does not hold up the end of a body whose last piece was buffered: it comes while that piece is in work.
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
