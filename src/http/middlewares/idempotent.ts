import { createHash } from 'node:crypto'
import { REFUSALS, RefusalError, refuse } from '../../domain/errors.ts'
import type { Log } from '../../ports/log.ts'
import type { IdempotencyStart, IdempotencyStore, IdempotentAnswer, IdempotentRequest } from '../../ports/stores/idempotency-store.ts'
import { matchedRoute } from '../context.ts'
import type { HttpContext, HttpMiddleware } from '../context.ts'
import { repeatRefusal, REPLAYED } from '../first-answer.ts'
import { writeRefusal } from '../refusal-body.ts'

/** contract 2: 1-255 printable characters. Headers are bytes: anything beyond ASCII would be ambiguous. */
const PRINTABLE = /^[\x20-\x7e]{1,255}$/

/**
 * Answers a repeated POST with its first answer (contract 2). Refusals are answers too and are kept;
 * faults of ours (5xx) are not, so that trying again can help. A route that keeps its first answer itself is only helped with its refusals.
 */
export function idempotent(store: IdempotencyStore, log: Log): HttpMiddleware {
  return async (ctx, next) => {
    const request = claimOf(ctx)
    if (!request) return next()
    if (matchedRoute(ctx).keepsFirstAnswer) return runKept(ctx, next, request, store, log)
    const replayed = replayOf(await store.start(request))
    return replayed ? replay(ctx, replayed) : runOnce(ctx, next, request, store, log)
  }
}

/** The answer to give again; null when the request is to be run. */
function replayOf(start: IdempotencyStart): IdempotentAnswer | null {
  if (start.kind === 'started') return null
  if (start.kind === 'replay') return start.answer
  throw new RefusalError(repeatRefusal(start.kind))
}

/**
 * The handler claims the key in the statement that does the work. What it refuses before has claimed nothing yet: that is
 * kept here, unless the key has an answer already, such as that of a send whose `deliverUntil` has passed since.
 */
async function runKept(ctx: HttpContext, next: () => Promise<unknown>, request: IdempotentRequest, store: IdempotencyStore, log: Log): Promise<void> {
  ctx.state.claim = request
  try {
    await next()
  } catch (error) {
    if (!isAnswer(error)) throw error
    const replayed = replayOf(await store.start(request))
    if (replayed) return replay(ctx, replayed)
    await runOnce(ctx, () => Promise.reject(error), request, store, log)
  }
}

/** Refusals are answers; faults of ours are not. */
function isAnswer(error: unknown): error is RefusalError {
  return error instanceof RefusalError && REFUSALS[error.refusal.code].status < 500
}

/** Null where the route or the client does not ask for it. */
function claimOf(ctx: HttpContext): IdempotentRequest | null {
  const sent = ctx.headers['idempotency-key']
  const { caller, rawBody } = ctx.state
  if (sent === undefined || !matchedRoute(ctx).isIdempotent || !caller) return null
  const key = String(sent)
  if (!PRINTABLE.test(key)) {
    const message = 'must be 1 to 255 printable ASCII characters'
    throw new RefusalError(refuse('VALIDATION', `Invalid header: Idempotency-Key ${message}`, [{ path: 'idempotency-key', message }]))
  }
  const hash = createHash('sha256').update(`${ctx.method} ${ctx.path}\n`)
  if (rawBody) hash.update(rawBody)
  return { keyId: caller.keyId, key, fingerprint: hash.digest('hex') }
}

function replay(ctx: HttpContext, answer: IdempotentAnswer): void {
  ctx.status = answer.status
  ctx.set(REPLAYED, 'true')
  ctx.type = 'application/json'
  ctx.body = answer.body
}

async function runOnce(ctx: HttpContext, next: () => Promise<unknown>, request: IdempotentRequest, store: IdempotencyStore, log: Log): Promise<void> {
  try {
    await next()
  } catch (error) {
    if (!isAnswer(error)) {
      await settle(ctx, log, () => store.abandon(request))
      throw error
    }
    writeRefusal(ctx, error.refusal)
  }
  await settle(ctx, log, () => store.finish(request, { status: ctx.status, body: String(ctx.body) }))
}

/** The work is done either way: failing to note it must not turn its answer into a 500. */
async function settle(ctx: HttpContext, log: Log, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch {
    log.error({ requestId: ctx.state.requestId }, 'idempotent answer could not be kept')
  }
}
