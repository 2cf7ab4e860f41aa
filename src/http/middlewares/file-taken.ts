import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import multer from '@koa/multer'
import { RefusalError, refuse } from '../../domain/errors.ts'
import type { Clock } from '../../ports/clock.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'
import { beginFingerprint } from '../request/fingerprint.ts'
import type { Route, TakenFile } from '../request/route.ts'

export interface FileTakenDeps {
  readonly clock: Clock
  /** Folder that keeps files while their requests last; made when missing. */
  readonly uploadDirectory: string
}

type Wanted = NonNullable<Route['takesFile']>

/** our choice, in ms: an upload that takes longer is cut. */
export const UPLOAD_MS = 30_000
/** our choice, in bytes: what a multipart body may hold beside its file. */
const AROUND_BYTES = 16_384
/** our choice: headers of a part, and characters of a field's name. */
const MOST_HEADERS = 16
const NAME_LENGTH = 100

/**
 * Takes the one file of a multipart body into a temporary file, which is gone with the request. It streams, so a file
 * that is too large is cut, not held ([branding.logo.1]). Routes without a file pass.
 */
export function fileTaken({ clock, uploadDirectory }: FileTakenDeps): HttpMiddleware {
  return async (ctx, next) => {
    const wanted = matchedRoute(ctx).takesFile
    if (!wanted || (wanted.texts && !ctx.is('multipart/form-data'))) return next()
    if (ctx.get('content-type') !== '' && !ctx.is('multipart/form-data'))
      throw new RefusalError(refuse('UNSUPPORTED_MEDIA_TYPE', 'Send the file as multipart/form-data'))
    await mkdir(uploadDirectory, { recursive: true, mode: 0o700 })
    const directory = await mkdtemp(join(uploadDirectory, 'upload-'))
    try {
      ctx.state.sentFile = await inTime(clock, take(ctx, wanted, directory), wanted.withinMs ?? UPLOAD_MS)
      return await next()
    } catch (error) {
      // The rest of the body is not waited for.
      if (!ctx.req.complete) ctx.set('connection', 'close')
      throw error
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  }
}

async function take(ctx: HttpContext, { field, maxBytes, texts = [] }: Wanted, directory: string): Promise<TakenFile> {
  if (Number(ctx.get('content-length')) > maxBytes + AROUND_BYTES) throw tooLarge(maxBytes)
  const limits = {
    fileSize: maxBytes,
    files: 1,
    fields: texts.length,
    parts: 1 + texts.length,
    headerPairs: MOST_HEADERS,
    fieldNameSize: NAME_LENGTH,
    fieldSize: texts.length > 0 ? AROUND_BYTES : 0,
  }
  const request: {
    body?: Readonly<Record<string, unknown>>
    file?: { readonly originalname: string; readonly path: string; readonly size: number }
  } = {}
  try {
    await multer({ storage: multer.diskStorage({ destination: directory }), limits, defParamCharset: 'utf8' }).single(
      field,
    )({ req: ctx.req, request }, async () => {})
  } catch (error) {
    throw refusalOf(error, maxBytes, field)
  }
  const { file } = request
  if (!file)
    throw new RefusalError(
      refuse('VALIDATION', `Send exactly one part, the file ${field}`, [{ path: field, message: 'is needed' }]),
    )
  if (texts.length > 0)
    await keepTexts(
      ctx,
      Object.fromEntries(
        texts.flatMap((name) => (request.body?.[name] === undefined ? [] : [[name, request.body[name]]])),
      ),
      file.path,
    )
  return { path: file.path, name: file.originalname, sizeBytes: file.size }
}

/**
 * Makes the texts beside the file the body to validate. With an Idempotency-Key the file is part of the fingerprint, so
 * two requests are the same only when their files are.
 */
async function keepTexts(ctx: HttpContext, texts: object, path: string): Promise<void> {
  ctx.state.rawBody = Buffer.from(JSON.stringify(texts))
  if (ctx.get('idempotency-key') === '') return
  const fingerprint = beginFingerprint(ctx).update(ctx.state.rawBody)
  for await (const piece of createReadStream(path)) fingerprint.update(piece as Buffer)
  ctx.state.fingerprint = fingerprint.digest('hex')
}

function tooLarge(maxBytes: number): RefusalError {
  return new RefusalError(refuse('PAYLOAD_TOO_LARGE', `The file has more than ${maxBytes} bytes`))
}

/**
 * The refusal of a failed upload. Faults of the body are its sender's; a system error, such as a full disk, stays an
 * error of the service.
 */
function refusalOf(error: unknown, maxBytes: number, field: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'LIMIT_FILE_SIZE') return tooLarge(maxBytes)
  if (/^E[A-Z]+$/.test(code) && code !== 'ECONNRESET') return error
  return new RefusalError(
    refuse('VALIDATION', `Send exactly one part, the file ${field}`, [
      { path: field, message: 'must be the one part of a whole multipart body' },
    ]),
  )
}

async function inTime<T>(clock: Clock, work: Promise<T>, withinMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = clock.after(withinMs, () =>
    reject(new RefusalError(refuse('VALIDATION', `The upload took longer than ${withinMs / 1_000} s`))),
  )
  // After the time is up, nobody waits for the upload's outcome any more.
  work.catch(() => {})
  try {
    return await Promise.race([work, promise])
  } finally {
    timer.cancel()
  }
}
