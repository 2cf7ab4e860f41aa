import type { Outcome } from '../../src/domain/errors.ts'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import type { CallId } from '../../src/domain/ids.ts'
import { newId } from '../../src/domain/ids.ts'
import { isLive } from '../../src/domain/call.ts'
import type { Call, CallAnswer } from '../../src/domain/call.ts'
import type { KeyedTurns } from '../../src/domain/turns.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { CallStore } from '../../src/ports/stores/call-store.ts'
import type { NumberStore } from '../../src/ports/stores/number-store.ts'
import type { CallRef } from '../call/call-actor.ts'
import type { AskedCallCommand } from '../call/messages.ts'
import { INTERRUPTED, STOPPED } from '../engine/runtime.ts'
import type { NumberRef } from '../number/number-actor.ts'
import type { AskedNumberCommand } from '../number/messages.ts'
import { leftUndone } from '../number/state.ts'
import type { Ask, CallAsk, NumberAsk } from './ask.ts'
import { isOnce } from './ask.ts'
import { asStored, isOfRow } from './errands.ts'
import type { NumberHosting } from './hosting.ts'
import { askOnceOpen } from './once-open.ts'

/** What this node answers an ask from. */
export interface HereDeps {
  readonly clock: Clock
  readonly calls: Pick<CallStore, 'find'>
  readonly numbers: Pick<NumberStore, 'load'>
  readonly hosting: NumberHosting
  readonly liveCalls: ReadonlyMap<CallId, CallRef>
  /** Changes of settings, one of a number after the other. */
  readonly settings: KeyedTurns
}

/**
 * The answer of this node. Null when the number is another node's, or this node is giving it up; the ask did not run.
 */
export type AnsweredHere = Outcome<unknown> | null

export const UNREADABLE = refuse('BUSY', 'What is stored of the number cannot be read now; try again', undefined, 1)
const RESTARTING = refuse('BUSY', 'The number is restarting; try again', undefined, 1)
export const UNKNOWN = refuse('TIMEOUT', 'The request took too long; its outcome is unknown')

/** An ask with the ms within which it is answered. */
export interface AskedHere {
  readonly ask: Ask
  readonly withinMs: number
  /** What to ask when the row, which goes before what was asked, cannot be read; null to refuse then. */
  readonly unread: Ask | null
}

/**
 * Answers an ask from the actors of this node, which takes the number if nobody holds it. Ends after `withinMs`; never
 * rejects. Settings that are changed at once may come in any order, from here and from other nodes: the row has the
 * last ones, so each change in its turn uses what the row has then, and has its time from then on.
 */
export async function answerHere(deps: HereDeps, { ask, withinMs, unread }: AskedHere): Promise<AnsweredHere> {
  const begin = (): Asking => ({ ...deps, endsMs: deps.clock.monotonicMs() + withinMs })
  if (!isOfRow(ask)) return await askHere(begin(), ask)
  return await deps.settings.run(ask.numberId, async () => {
    const asking = begin()
    const stored = await inTime(
      asking,
      asStored(deps.numbers, ask).then(
        (found) => succeed(found ?? ask),
        () => fail<Ask>(UNREADABLE),
      ),
    )
    const asked = stored.ok ? stored.value : unread
    return asked ? await askHere(asking, asked) : stored
  })
}

function askHere(asking: Asking, ask: Ask): Promise<AnsweredHere> {
  return ask.to === 'number' ? askOnceOpen(asking, ask.numberId, () => askNumber(asking, ask)) : askCall(asking, ask)
}

interface Asking extends HereDeps {
  /** Monotonic ms by which the ask is answered. */
  readonly endsMs: number
}

function leftMs({ clock, endsMs }: Asking): number {
  return Math.max(1, endsMs - clock.monotonicMs())
}

/** Bounds a look-up: one that never ends, as in a database that hangs, must not hold its asker. */
async function inTime<T>(asking: Asking, lookUp: Promise<Outcome<T>>): Promise<Outcome<T>> {
  const late = Promise.withResolvers<Outcome<T>>()
  const timer = asking.clock.after(leftMs(asking), () => late.resolve(fail(UNREADABLE)))
  const outcome = await Promise.race([lookUp, late.promise])
  timer.cancel()
  return outcome
}

/** The number's actor; null when another node holds the number. */
async function findNumber(asking: Asking, { numberId }: Ask): Promise<Outcome<NumberRef> | null> {
  const found = await inTime(asking, asking.hosting.find(numberId))
  return !found.ok && found.error.code === 'NOT_OWNER' ? null : found
}

async function askNumber(asking: Asking, ask: NumberAsk): Promise<AnsweredHere> {
  const { type, fields } = ask
  const callId = newId('call')
  // Two tries, because the actor that is found may be leaving memory.
  for (let attempt = 0; attempt < 2; attempt++) {
    const hosted = await findNumber(asking, ask)
    if (!hosted?.ok) return hosted
    // The cast ties `type` to its own fields, which `Ask` does not show.
    const outcome = await hosted.value.ask(
      (askId) => ({ ...fields, type, askId, callId }) as unknown as AskedNumberCommand,
      leftMs(asking),
    )
    if (outcome === INTERRUPTED && isOnce(ask)) return fail(UNKNOWN)
    if (outcome === STOPPED || outcome === INTERRUPTED) continue
    if (outcome.ok || !leftUndone(outcome.error)) return outcome
    return null
  }
  return fail(RESTARTING)
}

async function askCall(asking: Asking, ask: CallAsk): Promise<AnsweredHere> {
  const live = await askLive(asking, ask)
  if (live) return live
  const first = await fromRow(asking, ask)
  if (first) return first
  // The row is live but no actor holds the call. Its owner closes or resumes it at its start, unless another node is
  // the owner.
  const hosted = await findNumber(asking, ask)
  if (!hosted?.ok) return hosted
  const ready = await hosted.value.ask((askId) => ({ type: 'AwaitReady', askId }), leftMs(asking))
  if (typeof ready !== 'symbol' && !ready.ok) return leftUndone(ready.error) ? null : ready
  return (await askLive(asking, ask)) ?? (await fromRow(asking, ask)) ?? fail(RESTARTING)
}

/** Null when no actor holds the call. */
async function askLive(asking: Asking, ask: CallAsk): Promise<Outcome<unknown> | null> {
  const ref = asking.liveCalls.get(ask.callId)
  if (!ref) return null
  const { type, fields } = ask
  const playbackId = newId('play')
  // The cast ties `type` to its own fields, which `Ask` does not show.
  const outcome = await ref.ask(
    (askId) => ({ ...fields, type, askId, playbackId }) as unknown as AskedCallCommand,
    leftMs(asking),
  )
  if (outcome === INTERRUPTED && isOnce(ask)) return (await fromRow(asking, ask)) ?? fail(UNKNOWN)
  return typeof outcome === 'symbol' ? null : outcome
}

/** The answer for a call that is over; null while its row says that it is live. */
async function fromRow(asking: Asking, { numberId, callId, type }: CallAsk): Promise<Outcome<unknown> | null> {
  const read = asking.calls.find(numberId, callId).then(
    (found) => succeed(found),
    () => fail<Call | null>(UNREADABLE),
  )
  const found = await inTime(asking, read)
  if (!found.ok) return found
  const row = found.value
  if (row === null) return fail(refuse('CALL_NOT_FOUND', 'No such call'))
  if (isLive(row.status)) return null
  if (type !== 'Reject' && type !== 'Terminate') return fail(refuse('CALL_INVALID_STATE', 'The call is over'))
  const over: CallAnswer = { id: row.id, status: row.status }
  return succeed(over)
}
