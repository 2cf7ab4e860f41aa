import { open, type FileHandle } from 'node:fs/promises'
import { RefusalError, refuse } from '../../domain/errors.ts'
import type { HttpContext } from './context.ts'
import type { SentFile } from './route.ts'

/**
 * our choice, in ms: a client that takes no byte for this long is cut, so that it does not keep file and connection.
 */
const STALLED_MS = 60_000

/** A year, the longest time for which caches keep anything. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** A part of a file, in bytes; both ends are inclusive, as in HTTP. */
interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Streams a file as fast as the client takes it: whole, or the one range asked for (RFC 9110, 14). The file is closed
 * when the answer ends, also early. A file that is gone is 404.
 */
export async function sendFile(
  ctx: HttpContext,
  { path, link, fileName, isImmutable = false }: SentFile,
  stalledMs: number = STALLED_MS,
): Promise<void> {
  if (link && (await lead(ctx, link, fileName))) return
  const file = await opened(typeof path === 'string' ? path : await path())
  let isHanded = false
  try {
    const { size } = await file.stat()
    const span = spanOf(ctx, size)
    if (span === 'unsatisfiable') {
      ctx.set('content-range', `bytes */${size}`)
      throw new RefusalError(refuse('RANGE_NOT_SATISFIABLE', 'The range starts behind the end of the file'))
    }
    nameFile(ctx, fileName)
    describe(ctx, span, size)
    ctx.set('cache-control', isImmutable ? IMMUTABLE : 'private')
    if (ctx.method === 'HEAD') return
    ctx.res.setTimeout(stalledMs)
    // Koa destroys the stream when the client leaves, and the stream closes the file.
    ctx.body = size === 0 ? Buffer.alloc(0) : file.createReadStream({ start: span.start, end: span.end })
    isHanded = size > 0
  } finally {
    if (!isHanded) await file.close()
  }
}

async function opened(path: string | null): Promise<FileHandle> {
  const gone = new RefusalError(refuse('NOT_FOUND', 'No such file'))
  if (path === null) throw gone
  return open(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? gone : error
  })
}

/**
 * Leads the client to a link, where the file has the type and the name that it has here. False when there is none. The
 * link is a secret that ends soon, so nobody keeps the answer.
 */
async function lead(ctx: HttpContext, link: NonNullable<SentFile['link']>, fileName: string | null): Promise<boolean> {
  const { type } = ctx
  nameFile(ctx, fileName)
  const { 'content-type': shownType, 'content-disposition': disposition } = ctx.response.headers
  ctx.remove('content-disposition')
  const url = await link({
    method: ctx.method === 'HEAD' ? 'HEAD' : 'GET',
    type: String(shownType),
    disposition: String(disposition),
  })
  ctx.type = type
  if (url === null) return false
  ctx.status = 302
  ctx.state.answeredWith = 302
  ctx.set({ location: url, 'cache-control': 'private, no-store' })
  ctx.remove('content-type')
  ctx.body = ''
  return true
}

/** Says how a browser may show a file of the answer's type, and under which name it is saved. */
function nameFile(ctx: HttpContext, fileName: string | null): void {
  const type = ctx.type
  if (isShown(type)) ctx.attachment(fileName ?? undefined, { type: 'inline' })
  else ctx.attachment(fileName ?? undefined)
  // Koa derives a type from the name; the stored type wins.
  ctx.type = type
}

function describe(ctx: HttpContext, span: Span, size: number): void {
  ctx.set('accept-ranges', 'bytes')
  const length = span.end - span.start + 1
  if (length < size) {
    ctx.status = 206
    ctx.set('content-range', `bytes ${span.start}-${span.end}/${size}`)
  }
  ctx.length = length
  ctx.state.fileBytes = length
}

/**
 * Whether a browser may show a type. It would run scripts of other types that it can open, HTML and SVG first, so those
 * are saved.
 */
function isShown(type: string): boolean {
  return /^(?:image\/(?:jpeg|png|gif|webp)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/pdf|text\/plain)$/.test(type)
}

/**
 * The range asked for. It is the whole file when no range is asked for, or one that cannot be read, which RFC 9110
 * tells servers to ignore.
 */
function spanOf(ctx: HttpContext, size: number): Span | 'unsatisfiable' {
  const whole = { start: 0, end: size - 1 }
  const asked = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(ctx.get('range'))
  // our choice: `if-range` gets the whole file, because the answer has no validator to compare it with.
  if (!asked || ctx.get('if-range') !== '') return whole
  const [, first = '', last = ''] = asked
  if (first === '' && last === '') return whole
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return whole
  return start < size && start <= end ? { start, end } : 'unsatisfiable'
}
