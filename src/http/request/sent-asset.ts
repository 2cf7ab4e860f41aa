import type { BuiltBytes } from '../pages/built-assets.ts'
import type { HttpContext } from './context.ts'

/** Answers a file of the build in the smallest form that the client takes, or 304 to who has it. */
export function sendAsset(ctx: HttpContext, { facts, bytes, gzip, br }: BuiltBytes): void {
  ctx.vary('accept-encoding')
  // Weak, because it names the file in any of its forms.
  ctx.set('etag', `W/"${facts.hash}"`)
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  const [encoding, sent] = smallestTaken(ctx, { bytes, gzip, br })
  if (encoding !== null) ctx.set('content-encoding', encoding)
  ctx.body = sent
}

function smallestTaken(ctx: HttpContext, { bytes, gzip, br }: Omit<BuiltBytes, 'facts'>): readonly [string | null, Buffer] {
  if (br && ctx.acceptsEncodings('br')) return ['br', br]
  if (gzip && ctx.acceptsEncodings('gzip')) return ['gzip', gzip]
  return [null, bytes]
}
