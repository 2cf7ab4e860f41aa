/**
 * Requests over a JSON socket that comes and goes: each gets exactly one reply, whatever the link does. The table knows
 * nothing of the questions.
 */
import type { Clock, Timer } from '../ports/clock.ts'
import type { JsonFrame } from './json-socket.ts'

export type RequestId = string | number

/** What became of a request. */
export type Reply =
  | { readonly kind: 'answered'; readonly frame: JsonFrame }
  /** It was sent, and not answered in time. */
  | { readonly kind: 'timeout' }
  /** It was sent, then the link went away: whether it took effect is unknown. */
  | { readonly kind: 'dropped' }
  /** It never left. */
  | { readonly kind: 'unsent' }

export interface RequestRules {
  readonly timeoutMs: number
  /** True when repeating it does no harm: it is sent again after a reconnect within its time. */
  readonly isResendable: boolean
  /** Set on the first request of a link: it goes out before the link is marked ready, and never again. */
  readonly isGreeting?: boolean
  /** Receives an answer that comes after the timeout, on the same link. */
  readonly onLateAnswer?: (frame: JsonFrame) => void
}

export interface RequestTableOptions {
  readonly clock: Clock
  /** Ms that a request which must not be sent twice waits for a ready link. */
  readonly unsentWaitMs: number
  readonly send: (frame: JsonFrame) => boolean
}

interface Pending {
  readonly frame: JsonFrame & { readonly id: RequestId }
  readonly rules: RequestRules
  readonly settle: (reply: Reply) => void
  timers: Timer[]
  isSent: boolean
  wasSent: boolean
}

export class RequestTable {
  readonly #options: RequestTableOptions
  /** In order of submission, which is the order of sending. */
  readonly #pending = new Map<RequestId, Pending>()
  readonly #late = new Map<RequestId, (frame: JsonFrame) => void>()
  #isReady = false
  #isEnded = false

  constructor(options: RequestTableOptions) {
    this.#options = options
  }

  /** Sends a request, or queues it until the link is ready. Never rejects. */
  request(frame: JsonFrame & { readonly id: RequestId }, rules: RequestRules): Promise<Reply> {
    return new Promise((resolve) => {
      if (this.#isEnded) {
        resolve({ kind: 'unsent' })
        return
      }
      const pending: Pending = { frame, rules, settle: resolve, timers: [], isSent: false, wasSent: false }
      this.#pending.set(frame.id, pending)
      pending.timers.push(this.#options.clock.after(rules.timeoutMs, () => this.#expire(pending)))
      if (this.#isReady || rules.isGreeting) this.#send(pending)
      else if (!rules.isResendable) this.#limitWait(pending)
    })
  }

  /** Tells that the link takes requests: those that wait are sent, oldest first. */
  ready(): void {
    this.#isReady = true
    for (const pending of this.#pending.values()) if (!pending.isSent) this.#send(pending)
  }

  /** Tells that the link is gone. */
  dropped(): void {
    this.#isReady = false
    this.#late.clear()
    for (const pending of this.#pending.values()) {
      if (!pending.isSent) continue
      if (pending.rules.isResendable && !pending.rules.isGreeting) pending.isSent = false
      else this.#finish(pending, { kind: 'dropped' })
    }
  }

  /** Hands an answer to its request; false when nobody waits for it. */
  answer(id: unknown, frame: JsonFrame): boolean {
    if (typeof id !== 'string' && typeof id !== 'number') return false
    const pending = this.#pending.get(id)
    if (pending) {
      this.#finish(pending, { kind: 'answered', frame })
      return true
    }
    const late = this.#late.get(id)
    this.#late.delete(id)
    late?.(frame)
    return late !== undefined
  }

  /** Tells that no link will come any more: every request is settled. */
  end(): void {
    this.#isEnded = true
    this.#isReady = false
    this.#late.clear()
    for (const pending of this.#pending.values())
      this.#finish(pending, { kind: pending.wasSent ? 'dropped' : 'unsent' })
  }

  #send(pending: Pending): void {
    if (this.#options.send(pending.frame)) {
      pending.isSent = true
      pending.wasSent = true
    } else if (!pending.rules.isResendable || pending.rules.isGreeting) {
      this.#finish(pending, { kind: 'unsent' })
    }
  }

  #limitWait(pending: Pending): void {
    pending.timers.push(
      this.#options.clock.after(this.#options.unsentWaitMs, () => {
        if (!pending.wasSent) this.#finish(pending, { kind: 'unsent' })
      }),
    )
  }

  #expire(pending: Pending): void {
    const { onLateAnswer } = pending.rules
    if (pending.isSent && onLateAnswer) this.#late.set(pending.frame.id, onLateAnswer)
    this.#finish(pending, { kind: pending.wasSent ? 'timeout' : 'unsent' })
  }

  #finish(pending: Pending, reply: Reply): void {
    this.#pending.delete(pending.frame.id)
    for (const timer of pending.timers) timer.cancel()
    pending.timers = []
    pending.settle(reply)
  }
}
