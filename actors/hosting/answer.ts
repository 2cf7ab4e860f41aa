import type { Outcome } from '../../src/domain/errors.ts'
import { fail, refuse } from '../../src/domain/errors.ts'
import type { NodeId } from '../../src/domain/ids.ts'
import { newId } from '../../src/domain/ids.ts'
import { ASK_TIMEOUT_MS } from '../../src/domain/limits.ts'
import type { Asked, Asks, RunAsk } from '../../src/ports/asks.ts'
import type { Holder } from '../../src/ports/leases.ts'
import { pause } from '../engine/pause.ts'
import type { HereDeps } from './answer-here.ts'
import { answerHere, UNKNOWN, UNREADABLE } from './answer-here.ts'
import type { Ask } from './ask.ts'
import { isOnce, readAsk, timeoutOf } from './ask.ts'
import { LeaseWatch, type LeaseWatchDeps } from './lease-watch.ts'
import type { Owners } from './owners.ts'
import type { Wait } from './patience.ts'

/** [nodes.asks.5]: an ask whose number has no owner that hears is tried for 10 s. */
const OWNER_MS = 10_000
/**
 * our choice: while nodes cannot reach each other, a number of another node is given up sooner, because Redis is rarely
 * back within seconds.
 */
const AWAY_MS = 1_000
/**
 * our choice: pauses between two looks at a lease, in ms: 25, doubled up to 400, so that a number that is just moving
 * is found at once.
 */
const FIRST_PAUSE_MS = 25
const LONGEST_PAUSE_MS = 400

const NOT_OWNER = refuse('NOT_OWNER', 'Another node holds the number; try again', undefined, 1)

export interface AnswerDeps extends HereDeps {
  readonly nodeId: NodeId
  readonly times: LeaseWatchDeps['times']
  readonly owners: Owners
  readonly asks: Asks
}

/**
 * Answers an ask on whichever node holds its number ([nodes.asks.1]): here, on that node, or here again once that
 * node's lease is over. An ask that may have run elsewhere is never run a second time. Never rejects. Refusals of its
 * own: NOT_OWNER, TIMEOUT.
 */
export async function answer(deps: AnswerDeps, ask: Ask, { withinMs, late }: Wait): Promise<Outcome<unknown>> {
  const startMs = deps.clock.monotonicMs()
  let endsMs = startMs + withinMs
  let givesUpMs = startMs + Math.min(withinMs, OWNER_MS)
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    const made = await tryOnce(deps, ask, { endsMs, late })
    if (made.kind === 'answered') return made.outcome
    // The next owner gets the rest of the 10 s in which every request is answered, plus the wait of its own route
    // ([rest.bounds.5]).
    if (made.kind === 'over') endsMs = Math.min(endsMs, startMs + OWNER_MS + timeoutOf(ask) - ASK_TIMEOUT_MS)
    if (made.kind === 'away') givesUpMs = Math.min(givesUpMs, startMs + AWAY_MS)
    if (deps.clock.monotonicMs() + pauseMs > givesUpMs) return fail(NOT_OWNER)
    await pause(deps.clock, pauseMs)
  }
}

/** `over` means that the lease of the asked node ended before it answered. */
type Tried = Exclude<Asked, { kind: 'lost' }> | { readonly kind: 'over' }

interface Until {
  /** Monotonic ms. */
  readonly endsMs: number
  readonly late: Wait['late']
}

async function tryOnce(deps: AnswerDeps, ask: Ask, until: Until): Promise<Tried> {
  const { clock, hosting, nodeId, owners } = deps
  const holder = hosting.tokenOf(ask.numberId) === null ? await holderOf(deps, ask) : null
  if (holder === 'unreadable') return { kind: 'answered', outcome: fail(UNREADABLE) }
  if (holder && holder.nodeId !== nodeId) return await askHolder(deps, holder, ask, until)
  const withinMs = Math.max(1, until.endsMs - clock.monotonicMs())
  // A number of this node has no errand that would try again.
  const outcome = await answerHere(deps, { ask, withinMs, unread: ask })
  if (outcome) return { kind: 'answered', outcome }
  owners.forget(ask.numberId)
  return { kind: 'elsewhere' }
}

/** The holder of the number; `unreadable` when the rows are away. Numbers of this node still answer then. */
async function holderOf({ owners, clock }: AnswerDeps, { numberId }: Ask): Promise<Holder | null | 'unreadable'> {
  const late = Promise.withResolvers<'unreadable'>()
  const timer = clock.after(OWNER_MS, () => late.resolve('unreadable'))
  const read = owners.of(numberId).catch(() => 'unreadable' as const)
  const holder = await Promise.race([read, late.promise])
  timer.cancel()
  return holder
}

async function askHolder(deps: AnswerDeps, holder: Holder, ask: Ask, { endsMs, late }: Until): Promise<Tried> {
  const { asks, owners, clock } = deps
  const asking = asks.ask(holder.nodeId, {
    id: newId('ask'),
    fence: { numberId: ask.numberId, token: holder.token },
    withinMs: Math.max(1, Math.round(endsMs - clock.monotonicMs())),
    body: ask,
  })
  const first = await unlessOver(deps, holder, ask, asking)
  if (first === null) {
    owners.forget(ask.numberId)
    if (!isOnce(ask)) return { kind: 'over' }
    if (!late) return { kind: 'answered', outcome: fail(UNKNOWN) }
    // The asker is answered now. The other node may still run again and send the outcome.
    late()
  }
  const asked = first ?? (await asking)
  if (asked.kind === 'answered') return asked
  owners.forget(ask.numberId)
  if (asked.kind !== 'lost') return asked
  // The number moved or its node died meanwhile. An ask that may run twice goes to the present owner.
  return isOnce(ask) || clock.monotonicMs() >= endsMs
    ? { kind: 'answered', outcome: fail(UNKNOWN) }
    : { kind: 'elsewhere' }
}

/** The result of an ask; null when the lease of the asked node ends first. */
async function unlessOver(
  deps: AnswerDeps,
  holder: Holder,
  { numberId }: Ask,
  asking: Promise<Asked>,
): Promise<Asked | null> {
  const watch = new LeaseWatch(deps, numberId, holder)
  const first = await Promise.race([asking, watch.over.then(() => null)])
  watch.stop()
  return first
}

/** Runs asks of other nodes: those to a number that this node holds under the given token, and no others. */
export function runHere(deps: HereDeps): RunAsk {
  return async ({ fence: { numberId, token }, withinMs, body }) => {
    const ask = readAsk(body, numberId)
    if (ask === null)
      return fail(
        refuse(
          'UNAVAILABLE',
          'The node that holds the number does not know this request; try again when all nodes run one version',
          undefined,
          5,
        ),
      )
    // The lease says that the number is here, but it is not, so it is on its way back. It gets a new token, which the
    // asker then reads.
    if (deps.hosting.tokenOf(numberId) === null) await deps.hosting.find(numberId)
    if (deps.hosting.tokenOf(numberId) !== token) return null
    return await answerHere(deps, { ask, withinMs, unread: null })
  }
}
