import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { HttpContext } from './context.ts'

const unpack = promisify(gunzip)

/** Answers what is kept packed with gzip: as it is to who takes that, unpacked to others. */
export async function sendPacked(ctx: HttpContext, packed: Buffer): Promise<void> {
  ctx.vary('accept-encoding')
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') {
    ctx.body = await unpack(packed)
    return
  }
  ctx.set('content-encoding', 'gzip')
  ctx.body = packed
}
