import type { CallId } from '../../src/domain/ids.ts'
import type { MediaNotice } from '../../src/ports/media-control.ts'
import type { MediaEvent } from '../../src/ports/media.ts'

/** Our choice: far more events than a node gets in the minute it may be away; beyond it the oldest are dropped. */
const MAX_EVENTS = 10_000

/** Events for one node, kept until it acknowledges them (ports/media-control). */
export class EventLog {
  #last = 0
  #pending: MediaNotice[] = []

  add(ev: MediaEvent): MediaNotice {
    const notice = { n: ++this.#last, ev }
    this.#pending.push(notice)
    if (this.#pending.length > MAX_EVENTS) this.#pending.shift()
    return notice
  }

  ack(n: number): void {
    this.#pending = this.#pending.filter((notice) => notice.n > n)
  }

  /** Drops the waiting events of a call that another node owns now. */
  forget(callId: CallId): void {
    this.#pending = this.#pending.filter(({ ev }) => ev.callId !== callId)
  }

  /** Drops all waiting events; their numbering goes on. */
  clear(): void {
    this.#pending = []
  }

  get pending(): readonly MediaNotice[] {
    return this.#pending
  }
}
