import type { EngineEnd, SeenEvent } from './engine-end.ts'
import { eventFault } from './event-shapes.ts'

/** our choice: only the first faults of each kind are kept, because more say nothing new. */
const MAX_KEPT = 5

/** Collects the faults in the events of one session, over all of its connections. */
export class Watch {
  seen = 0
  /** The highest sequence number of all connections; -1 before the first event. */
  highestSeq = -1
  readonly misshapen: string[] = []
  readonly disordered: string[] = []
  readonly toldAgain: string[] = []
  /** The highest sequence number that was acknowledged on an earlier connection. */
  #acked = -1
  #current: EngineEnd | null = null
  #lastSeq = -1

  note(event: SeenEvent, end: EngineEnd): void {
    this.seen += 1
    if (end !== this.#current) this.#turnTo(end)
    const fault = eventFault(event)
    if (fault !== null) keep(this.misshapen, fault)
    if (event.seq <= this.#lastSeq) keep(this.disordered, `${event.ev} has seq ${event.seq} behind ${this.#lastSeq}`)
    if (event.seq <= this.#acked)
      keep(this.toldAgain, `${event.ev} (seq ${event.seq}) although ${this.#acked} was acknowledged`)
    this.#lastSeq = Math.max(this.#lastSeq, event.seq)
    this.highestSeq = Math.max(this.highestSeq, event.seq)
  }

  #turnTo(end: EngineEnd): void {
    this.#acked = Math.max(this.#acked, this.#current?.acked ?? -1)
    this.#current = end
    this.#lastSeq = -1
  }
}

function keep(faults: string[], fault: string): void {
  if (faults.length < MAX_KEPT) faults.push(fault)
}
