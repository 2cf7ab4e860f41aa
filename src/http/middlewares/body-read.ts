import { RefusalError, refuse } from '../../domain/errors.ts'
import { BODY_BYTES, BODY_VALUES } from '../../domain/limits.ts'
import type { Clock } from '../../ports/clock.ts'
import { BodyIntake } from '../request/body-intake.ts'
import type { IntakeOptions } from '../request/body-intake.ts'
import { takeBody } from '../request/body-pieces.ts'
import { BodyRooms } from '../request/body-rooms.ts'
import type { RoomLimits } from '../request/body-rooms.ts'
import { matchedRoute, payerOf } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'
import { beginFingerprint } from '../request/fingerprint.ts'
import { HeavyWork } from '../request/heavy-work.ts'
import type { TakesMedia } from '../request/media-cut.ts'
import { sentJson } from '../request/sent-json.ts'

export interface BodyReadDeps {
  readonly files: TakesMedia
  readonly clock: Clock
}

/**
 * our choice, for large bodies of proved callers: media go to disk as they arrive, so a body takes 1.3 MB of memory at
 * most, and its own size on disk. A caller may have eight bodies of 25 MB in work; all callers together may have as
 * many as four such callers. A request that waits holds a connection and nothing else.
 */
export const KEYED_ROOMS: RoomLimits = {
  mostBytes: 800_000_000,
  mostBytesPerCaller: 200_000_000,
  mostWaiting: 1_000,
  mostWaitingPerCaller: 64,
  waitMs: 20_000,
}
/**
 * our choice, for large bodies of texts, which are held in memory, twice while they are parsed: two of 25 MB for each
 * caller, six in all.
 */
const TEXT_ROOMS: RoomLimits = {
  mostBytes: 150_000_000,
  mostBytesPerCaller: 50_000_000,
  mostWaiting: 1_000,
  mostWaitingPerCaller: 64,
  waitMs: 20_000,
}
/**
 * our choice, for large bodies that anybody may send, counted by address: they are held in memory. Upstream sends 3 MB
 * at most.
 */
const OPEN_ROOMS: RoomLimits = {
  mostBytes: 60_000_000,
  mostBytesPerCaller: 20_000_000,
  mostWaiting: 1_000,
  mostWaitingPerCaller: 64,
  waitMs: 10_000,
}
/** our choice, in s: a large body takes seconds. */
const RETRY_SECONDS = 5

/**
 * Reads the body: at most 1 MB or what the route takes ([rest.errors.7]), not compressed, and JSON by its content type
 * ([rest.errors.8]) unless the route takes it raw. Bytes and values are bounded before the body is parsed, and so are
 * large bodies in work ([rest.bounds.1], [rest.bounds.2]). Media that the route did not keep are dropped at the end.
 */
export function bodyRead({ files, clock }: BodyReadDeps, heavy: HeavyWork): HttpMiddleware {
  const keyed = new BodyRooms(KEYED_ROOMS, clock)
  const texts = new BodyRooms(TEXT_ROOMS, clock)
  const open = new BodyRooms(OPEN_ROOMS, clock)
  const roomsOf = (ctx: HttpContext) =>
    !ctx.state.caller ? open : matchedRoute(ctx).textBytes === undefined ? keyed : texts
  return async (ctx, next) => {
    if (matchedRoute(ctx).method === 'get' || ctx.state.sentFile) return next()
    const room = new Room(roomsOf(ctx), payerOf(ctx))
    const intake = new BodyIntake({ ...limitsOf(ctx), files, enter: (bytes) => room.enter(ctx, bytes) })
    try {
      await readAll(ctx, intake)
      if (HeavyWork.isHeavy(ctx.state.rawBody) && matchedRoute(ctx).rawBodyBytes === undefined)
        await parseHeavy(ctx, heavy)
      return await next()
    } finally {
      await intake.drop()
      room.leave()
    }
  }
}

/** The room that one request takes among large bodies in work. */
class Room {
  readonly #rooms: BodyRooms
  readonly #caller: string
  #leave: (() => void) | null = null

  constructor(rooms: BodyRooms, caller: string) {
    this.#rooms = rooms
    this.#caller = caller
  }

  async enter({ req }: HttpContext, bytes: number): Promise<void> {
    const gone = new AbortController()
    const onClose = (): void => gone.abort()
    req.once('close', onClose)
    this.#leave = await this.#rooms.enter(this.#caller, bytes, gone.signal)
    req.off('close', onClose)
    if (!this.#leave)
      throw new RefusalError(
        refuse('BUSY', 'Too many large requests are being read. Try again.', undefined, RETRY_SECONDS),
      )
  }

  leave(): void {
    this.#leave?.()
  }
}

function limitsOf(ctx: HttpContext): Omit<IntakeOptions, 'files' | 'enter'> {
  const { rawBodyBytes, bodyBytes, textBytes, bodyValues, isIdempotent } = matchedRoute(ctx)
  const stated = ctx.headers['content-length']
  const hasMedia = bodyBytes !== undefined && isJson(ctx)
  return {
    maxBytes: rawBodyBytes ?? bodyBytes ?? textBytes ?? BODY_BYTES,
    mostValues: bodyValues ?? BODY_VALUES,
    hasMedia,
    statedBytes: stated === undefined ? null : Number(stated),
    fingerprint:
      hasMedia && isIdempotent && ctx.headers['idempotency-key'] !== undefined ? beginFingerprint(ctx) : null,
  }
}

async function readAll(ctx: HttpContext, intake: BodyIntake): Promise<void> {
  const { rawBodyBytes } = matchedRoute(ctx)
  const isWhole = await taken(ctx, intake)
  if (!isWhole)
    throw new RefusalError(refuse('VALIDATION', 'The body ended before its content-length was reached: send it again'))
  const { bytes, fault, fingerprint } = await intake.end()
  if (bytes.length > 0 && rawBodyBytes === undefined && !isJson(ctx)) {
    throw new RefusalError(
      refuse('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json in UTF-8, not compressed'),
    )
  }
  ctx.state.rawBody = bytes
  if (fault) ctx.state.bodyFault = fault
  if (fingerprint !== null) ctx.state.fingerprint = fingerprint
}

/**
 * Parses a large body in its turn. A body that is no JSON is refused later, in the order of checks ([rest.order.1]).
 */
async function parseHeavy(ctx: HttpContext, heavy: HeavyWork): Promise<void> {
  await heavy.run(payerOf(ctx), () => {
    try {
      sentJson(ctx)
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error
      ctx.state.bodyFault = error
    }
  })
}

async function taken(ctx: HttpContext, intake: BodyIntake): Promise<boolean> {
  try {
    return await takeBody(ctx.req, await begun(intake))
  } catch (error) {
    ctx.set('connection', 'close')
    throw error
  }
}

/**
 * How to take the pieces of the body. Without room for it, each piece throws the refusal, so the body is read and
 * dropped before the answer.
 */
async function begun(intake: BodyIntake): Promise<(piece: Buffer) => Promise<void> | null> {
  try {
    await intake.begin()
    return (piece) => intake.take(piece)
  } catch (error) {
    return () => {
      throw error
    }
  }
}

function isJson(ctx: HttpContext): boolean {
  const encoding = ctx.get('content-encoding').toLowerCase()
  const type = ctx.get('content-type').toLowerCase()
  const charset = /charset\s*=\s*"?([\w-]+)/.exec(type)?.[1] ?? 'utf-8'
  return (
    /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/.test(type)
    && ['utf-8', 'utf8', 'us-ascii'].includes(charset)
    && ['', 'identity'].includes(encoding)
  )
}
