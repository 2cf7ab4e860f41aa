import type { BridgeEvent, SequencedBridgeEvent } from '../../src/domain/device-bridge.ts'

/** our choice: an engine keeps this many unacknowledged events of a number, then forgets the oldest. */
const MAX_KEPT_EVENTS = 10_000

/** The events of one number: numbered, and kept until the gateway has stored them ([bridge.socket.5]). */
export interface EventLog {
  add(event: BridgeEvent): SequencedBridgeEvent
  /** Numbers an event for a socket that is about to be closed; no other socket gets it. */
  addUnkept(event: BridgeEvent): SequencedBridgeEvent
  acknowledge(seq: number): void
  /** Oldest first. */
  unacknowledged(): readonly SequencedBridgeEvent[]
  /** Forgets events of an earlier pairing; messages and calls stay. */
  forgetSessionEvents(): void
}

/**
 * Starts a log. `firstSeq` should lie above every number given out in an earlier life of the
 * engine, or a gateway that remembers the last one would take new events for repeated ones.
 */
export function createEventLog(firstSeq: number): EventLog {
  let nextSeq = firstSeq
  let kept: SequencedBridgeEvent[] = []

  function number(event: BridgeEvent): SequencedBridgeEvent {
    return { ...event, seq: nextSeq++ }
  }

  return {
    add(event) {
      const sequenced = number(event)
      kept.push(sequenced)
      if (kept.length > MAX_KEPT_EVENTS) kept.shift()
      return sequenced
    },
    addUnkept: number,
    acknowledge(seq) {
      const first = kept.findIndex((event) => event.seq > seq)
      if (first !== 0) kept = first === -1 ? [] : kept.slice(first)
    },
    unacknowledged: () => kept,
    forgetSessionEvents() {
      kept = kept.filter((event) => !event.ev.startsWith('session.'))
    },
  }
}
