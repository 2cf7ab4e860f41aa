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
import { asStored } from './errands.ts'
import { LeaseWatch, type LeaseWatchDeps } from './lease-watch.ts'
import type { Owners } from './owners.ts'
import type { Wait } from './patience.ts'

/** [nodes.asks.5]: an ask whose number has no owner that hears is tried for 10 s. */
const OWNER_MS = 10_000
/**
 * our choice: where nodes cannot hear each other, a number of another node is given up sooner: Redis may be back in a
 * moment, and is mostly not.
 */
const AWAY_MS = 1_000
/**
 * our choice: pauses between two looks at a lease: 25 ms, doubled up to 400 ms, so that a number that just moves is
 * found at once.
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
 * Answers an ask on whichever node holds its number ([nodes.asks.1]): here, or by asking that node, or here again once
 * its lease is over. What may have run elsewhere is never run a second time. Never rejects. Refusals of its own:
 * NOT_OWNER, TIMEOUT.
 */
export async function answer(deps: AnswerDeps, ask: Ask, { withinMs, late }: Wait): Promise<Outcome<unknown>> {
  const startMs = deps.clock.monotonicMs()
  let endsMs = startMs + withinMs
  let givesUpMs = startMs + Math.min(withinMs, OWNER_MS)
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    const made = await tryOnce(deps, ask, { endsMs, late })
    if (made.kind === 'answered') return made.outcome
    // The next owner has what is left of the 10 s in which everything is answered, and what the route itself waits
    // ([rest.bounds.5]).
    if (made.kind === 'over') endsMs = Math.min(endsMs, startMs + OWNER_MS + timeoutOf(ask) - ASK_TIMEOUT_MS)
    if (made.kind === 'away') givesUpMs = Math.min(givesUpMs, startMs + AWAY_MS)
    if (deps.clock.monotonicMs() + pauseMs > givesUpMs) return fail(NOT_OWNER)
    await pause(deps.clock, pauseMs)
  }
}

/** `over`: the lease of whoever was asked ran out before it answered. */
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
  const outcome = await answerHere(deps, ask, Math.max(1, until.endsMs - clock.monotonicMs()))
  if (outcome) return { kind: 'answered', outcome }
  owners.forget(ask.numberId)
  return { kind: 'elsewhere' }
}

/** The rows may be away: then those of this node still answer, and nobody knows of the others. */
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
    // Whoever waits is told at once; a node that runs again may still say what came of it.
    late()
  }
  const asked = first ?? (await asking)
  if (asked.kind === 'answered') return asked
  owners.forget(ask.numberId)
  if (asked.kind !== 'lost') return asked
  // The number moved or its node died meanwhile: what may be done twice is asked of whoever has it now.
  return isOnce(ask) || clock.monotonicMs() >= endsMs
    ? { kind: 'answered', outcome: fail(UNKNOWN) }
    : { kind: 'elsewhere' }
}

/** What came of an ask; null when the lease of whoever was asked is over before it answered. */
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

/**
 * What this node does when another one asks it: it runs what is asked of a number that it holds under that token, and
 * nothing else.
 */
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
    // A number whose lease says that it is here, and which is not, is on its way back: it gets a new token, and the
    // asker reads that.
    if (deps.hosting.tokenOf(numberId) === null) await deps.hosting.find(numberId)
    if (deps.hosting.tokenOf(numberId) !== token) return null
    // Settings that were changed on two nodes at once may be heard of in either order: those of the row are the later
    // ones.
    const asked = await asStored(deps.numbers, ask).catch(() => null)
    return asked ? await answerHere(deps, asked, withinMs) : fail(UNREADABLE)
  }
}
