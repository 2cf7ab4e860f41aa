import type { Timeline } from '../../../simulation/timeline.ts'
import { fail } from '../../../src/domain/errors.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import type { UpstreamWrite } from '../../../src/ports/official/write.ts'
import { AWAY, THROTTLED } from '../../helpers/scripted-platform.ts'
import type { Gateway } from './mortal-gateway.ts'

/** Whoever asks gives up after so many ms. */
const ANSWER_MS = 10_000
/** What nobody waits for any more is done within a minute, as docs/flows.md has it, or not at all. */
const LATE_MS = 45_000

/**
 * How a request ends for whoever asked. `late`: the answer is lost, and upstream does it later. What upstream has taken
 * already ends as taken, whatever is said.
 */
export const ENDS = ['answered', 'lost after', 'lost before', 'late', 'unsent', 'throttled', 'refused'] as const
export type End = (typeof ENDS)[number]

interface Held {
  readonly from: Gateway
  readonly what: string
  /** It is done, or read, now; its answer is under way from then on. */
  take(): void
  end(end: End): void
}

/** A refusal for a reason that passes, such as a right that was taken away for a while. */
const NO = { upstreamCode: 10, upstreamSubcode: null, upstreamMessage: 'No right to do that' }

/** Requests to upstream that are out, until it is said what becomes of each. */
export class HeldRequests {
  readonly open: Held[] = []
  /** Writes that nobody waits for any more, and that upstream has not done yet. */
  readonly late: Held[] = []
  /** Whether one of those is being done now. */
  isDoingLate = false
  /** How many reads had no answer. */
  unread = 0
  readonly #timeline: Timeline

  constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  /** A gateway asks upstream to write; `run` does it there. */
  write<T>(from: Gateway, what: string, run: () => Promise<UpstreamWrite<T>>): Promise<UpstreamWrite<T>> {
    let taken: Promise<UpstreamWrite<T>> | null = null
    const take = () => (taken ??= run())
    return this.#ask({ from, what, take }, (end) => {
      if (end === 'answered' || end === 'lost after') take()
      else if (taken === null && end === 'late') this.#wait({ from, what, take, end: () => {} })
      return answerOf(end, taken)
    })
  }

  /** A gateway reads upstream; `run` reads what is there now. */
  read<T>(from: Gateway, what: string, run: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    let taken: Promise<Outcome<T>> | null = null
    const take = () => (taken ??= run())
    return this.#ask({ from, what, take }, (end) => {
      if (end === 'answered') return take()
      this.unread += 1
      return fail(end === 'throttled' ? THROTTLED : AWAY)
    })
  }

  /** Ends a request, if it is still out. */
  end(held: Held | undefined, end: End): void {
    if (!held || !this.#drop(this.open, held)) return
    held.end(end)
  }

  /** Does what nobody waits for any more. */
  doLate(held: Held | undefined): void {
    if (!held || !this.#drop(this.late, held)) return
    this.isDoingLate = true
    held.take()
    this.isDoingLate = false
  }

  /** What nobody waits for any more never reaches upstream. */
  lose(held: Held | undefined): void {
    if (held) this.#drop(this.late, held)
  }

  /** Nobody waits any more for what a gateway asked that is dead; upstream may still do it. */
  forget(gateway: Gateway): void {
    for (const held of this.open.filter(({ from }) => from === gateway)) this.end(held, 'late')
  }

  /** Holds a request until it ends; a gateway that is dead by then hears nothing. */
  #ask<T>(request: Omit<Held, 'end'>, answer: (end: End) => T | Promise<T>): Promise<T> {
    return new Promise((resolve) => {
      const held: Held = {
        ...request,
        end(end) {
          const said = answer(end)
          if (!request.from.isDead) resolve(said)
        },
      }
      this.open.push(held)
      this.#timeline.after(ANSWER_MS, () => this.end(held, 'late'))
    })
  }

  #wait(held: Held): void {
    this.late.push(held)
    this.#timeline.after(LATE_MS, () => this.doLate(held))
  }

  #drop(list: Held[], held: Held): boolean {
    const at = list.indexOf(held)
    if (at >= 0) list.splice(at, 1)
    return at >= 0
  }
}

/** What a write answers; `taken` is what upstream has said of it, if it has. */
function answerOf<T>(end: End, taken: Promise<UpstreamWrite<T>> | null): Promise<UpstreamWrite<T>> | UpstreamWrite<T> {
  if (end === 'lost after' || end === 'lost before' || end === 'late') return { kind: 'unknown', refusal: AWAY }
  if (taken) return taken
  if (end === 'refused') return { kind: 'refused', no: NO }
  return { kind: 'unsent', refusal: end === 'throttled' ? THROTTLED : AWAY }
}
