import type { Directory } from '../../../actors/hosting/directory.ts'
import { answersOwner, inboxAnswersOwner } from '../../domain/caller.ts'
import { REFUSALS, RefusalError, refuse } from '../../domain/errors.ts'
import type { RefusalCode } from '../../domain/errors.ts'
import { IDEMPOTENCY_LOCK_MS } from '../../domain/limits.ts'
import { StoreAway } from '../../domain/store-away.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type {
  IdempotencyStart,
  IdempotencyStore,
  IdempotentAnswer,
  IdempotentRequest,
} from '../../ports/stores/idempotency-store.ts'
import { AnswersLater } from '../request/answers-later.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'
import { beginFingerprint } from '../request/fingerprint.ts'
import { repeatRefusal, REPLAYED } from '../request/first-answer.ts'
import { refusalStatus, writeRefusal } from '../request/refusal-body.ts'

/**
 * [rest.idempotency.1]: 1 to 255 printable characters. Headers are bytes, so anything beyond ASCII would be ambiguous.
 */
const PRINTABLE = /^[\x20-\x7e]{1,255}$/

const LATE = refuse(
  'TIMEOUT',
  'The request takes longer than expected. With the same Idempotency-Key its outcome is answered once it is known.',
)

/**
 * our choice, in ms: how long an answer may be stored late, well before another request may take the claim over as
 * abandoned.
 */
const LATER_MS = IDEMPOTENCY_LOCK_MS - 10_000

interface Keeping {
  readonly store: IdempotencyStore
  readonly log: Log
  readonly clock: Clock
  readonly later: AnswersLater
  readonly patiently: Directory['patiently']
}

export interface IdempotentDeps {
  readonly idempotency: IdempotencyStore
  readonly directory: Pick<Directory, 'patiently'>
  readonly log: Log
  readonly clock: Clock
}

/**
 * Answers a repeated POST with its first answer ([rest.idempotency.2]). Refusals are answers too, and are kept.
 * Failures of the service (5xx) are not, so that trying again can help. For a route that keeps its first answer itself,
 * this keeps its refusals only.
 */
export function idempotent({ idempotency: store, directory, log, clock }: IdempotentDeps): HttpMiddleware {
  const keeping: Keeping = {
    store,
    log,
    clock,
    later: new AnswersLater(clock, log),
    patiently: (work, late) => directory.patiently(work, late),
  }
  return async (ctx, next) => {
    const request = claimOf(ctx)
    if (ctx.state.isReplaced) return answerReplaced(ctx, request, store)
    if (!request) return next()
    if (matchedRoute(ctx).keepsFirstAnswer) return runKept(ctx, next, request, store)
    const claimedMs = clock.monotonicMs()
    const replayed = replayOf(await store.start(request))
    return replayed ? replay(ctx, replayed) : runOnce(ctx, next, { request, claimedMs }, keeping)
  }
}

/** The answer to repeat, null when the request is to be run. */
function replayOf(start: IdempotencyStart): IdempotentAnswer | null {
  if (start.kind === 'started') return null
  if (start.kind === 'replay') return start.answer
  throw new RefusalError(repeatRefusal(start.kind))
}

/** Gives a replaced key the answer of its regeneration ([rest.idempotency.6]); every other request of it is refused. */
async function answerReplaced(
  ctx: HttpContext,
  request: IdempotentRequest | null,
  store: IdempotencyStore,
): Promise<void> {
  const found = request && (await store.find(request))
  if (found?.kind !== 'replay') throw new RefusalError(refuse('UNAUTHENTICATED', 'The key is unknown or was replaced'))
  replay(ctx, found.answer)
}

/**
 * Runs a route whose handler claims the key in the statement that does the work. A refusal before that statement has
 * claimed nothing, so it is kept here, unless the key has an answer already, such as that of a send whose
 * `deliverUntil` has passed since.
 */
async function runKept(
  ctx: HttpContext,
  next: () => Promise<unknown>,
  request: IdempotentRequest,
  store: IdempotencyStore,
): Promise<void> {
  ctx.state.claim = request
  try {
    await next()
  } catch (error) {
    if (!isAnswer(error) || isUnseen(ctx, error)) throw error
    writeRefusal(ctx, error.refusal)
    const replayed = replayOf(await store.startAnswered(request, { status: ctx.status, body: String(ctx.body) }))
    if (replayed) replay(ctx, replayed)
  }
}

/**
 * Whether an embed session was refused something that it may not see. Such a refusal is not kept, and no kept answer is
 * given in its place: that answer may be another session's.
 */
function isUnseen({ state: { embed } }: HttpContext, { refusal }: RefusalError): boolean {
  return embed !== undefined && REFUSALS[refusal.code].status === 404
}

/**
 * Refusals that are not the request's own answer: its key was replaced meanwhile, or the Idempotency-Key belongs to a
 * request that is still running or was another one.
 */
const NO_ANSWERS: readonly RefusalCode[] = ['UNAUTHENTICATED', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED']

/**
 * Whether an error is an answer to keep. A refusal is; a failure of the service is not. TIMEOUT is: its outcome is
 * unknown, and running the request again might do it twice ([nodes.asks.7]).
 */
function isAnswer(error: unknown): error is RefusalError {
  if (!(error instanceof RefusalError)) return false
  const { code } = error.refusal
  return code === 'TIMEOUT' || (REFUSALS[code].status < 500 && !NO_ANSWERS.includes(code))
}

/** The claim of the request's Idempotency-Key, null when the route takes none or the client sent none. */
function claimOf(ctx: HttpContext): IdempotentRequest | null {
  const sent = ctx.headers['idempotency-key']
  const { caller, embed } = ctx.state
  const ownerId = caller
    ? answersOwner(caller)
    : embed && inboxAnswersOwner(embed.session.tenantId, ctx.state.params['id'] ?? '')
  if (sent === undefined || !matchedRoute(ctx).isIdempotent || !ownerId) return null
  const key = String(sent)
  if (!PRINTABLE.test(key)) {
    const message = 'must be 1 to 255 printable ASCII characters'
    throw new RefusalError(
      refuse('VALIDATION', `Invalid header: Idempotency-Key ${message}`, [{ path: 'idempotency-key', message }]),
    )
  }
  return { ownerId, key, fingerprint: ctx.state.fingerprint ?? fingerprintOf(ctx) }
}

function fingerprintOf(ctx: HttpContext): string {
  return beginFingerprint(ctx)
    .update(ctx.state.rawBody ?? '')
    .digest('hex')
}

function replay(ctx: HttpContext, answer: IdempotentAnswer): void {
  ctx.status = answer.status
  ctx.set(REPLAYED, 'true')
  ctx.type = 'application/json'
  ctx.body = answer.body
}

interface Claimed {
  readonly request: IdempotentRequest
  /** When the claim was about to be made, in monotonic ms. */
  readonly claimedMs: number
}

/**
 * Runs the request. When it takes too long, the client is told so, and the outcome is kept for a repeat with the same
 * key ([nodes.asks.8]).
 */
async function runOnce(
  ctx: HttpContext,
  next: () => Promise<unknown>,
  claimed: Claimed,
  keeping: Keeping,
): Promise<void> {
  const late = Promise.withResolvers<'late'>()
  const running = keeping.patiently(
    () => runAndSettle(ctx, next, claimed, keeping),
    () => late.resolve('late'),
  )
  if ((await Promise.race([running, late.promise])) !== 'late') return
  running.catch((error: unknown) => {
    if (!(error instanceof RefusalError))
      keeping.log.error(
        { requestId: ctx.state.requestId, error: error instanceof Error ? error.stack : String(error) },
        'a request failed by a fault of ours after its answer',
      )
  })
  throw new RefusalError(LATE)
}

async function runAndSettle(
  ctx: HttpContext,
  next: () => Promise<unknown>,
  { request, claimedMs }: Claimed,
  keeping: Keeping,
): Promise<void> {
  const { store, later } = keeping
  let status: number
  try {
    await next()
    // After a late answer Koa's context keeps the status of that one, so the handler's own is read first.
    status = ctx.state.answeredWith ?? ctx.status
  } catch (error) {
    if (!isAnswer(error)) {
      // The client does not wait for a database that is away.
      if (error instanceof StoreAway) later.add(() => store.abandon(request), claimedMs + LATER_MS)
      else await settle(ctx, keeping, claimedMs, () => store.abandon(request))
      throw error
    }
    writeRefusal(ctx, error.refusal)
    status = refusalStatus(error.refusal, ctx.path)
  }
  const answer = { status, body: String(ctx.body) }
  await settle(ctx, keeping, claimedMs, () => store.finish(request, answer))
}

/** Stores what became of a claim. The work is done, so a failure here must not turn its answer into a 500. */
async function settle(
  ctx: HttpContext,
  { log, later }: Keeping,
  claimedMs: number,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (error instanceof StoreAway) return later.add(write, claimedMs + LATER_MS)
    log.error(
      { requestId: ctx.state.requestId },
      'the answer to a request with an Idempotency-Key was not stored; a repetition does not get it',
    )
  }
}
