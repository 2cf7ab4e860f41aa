import type { HttpContext } from './context.ts'
import type { ReadyBytes } from './ready-bytes.ts'

/** Answers ready bytes in the smallest form that the client takes, or 304 to a client that has them. */
export function sendReady(ctx: HttpContext, ready: ReadyBytes): void {
  ctx.vary('accept-encoding')
  // The etag is weak, because it names the bytes in all their forms.
  ctx.set('etag', `W/"${ready.hash}"`)
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  const [encoding, sent] = smallestTaken(ctx, ready)
  if (encoding !== null) ctx.set('content-encoding', encoding)
  ctx.body = sent
}

function smallestTaken(ctx: HttpContext, { bytes, gzip, br }: ReadyBytes): readonly [string | null, Buffer] {
  if (br && ctx.acceptsEncodings('br')) return ['br', br]
  if (gzip && ctx.acceptsEncodings('gzip')) return ['gzip', gzip]
  return [null, bytes]
}
