import { BoundedMemory } from '../domain/bounded-memory.ts'
import type { Clock } from '../ports/clock.ts'
import type { TellPeerTyping } from '../ports/peer-typing.ts'

/** [embeds.typing.3]: at most one a second is told of one conversation, in ms. */
const EVERY_MS = 1_000
/** Our choice: as many peers as write to one node within a second; beyond them the pace is not kept. */
const MOST = 10_000

/** Passes on that somebody writes, at most once a second for one peer of a number; what comes sooner is dropped. */
export function pacedTyping(clock: Clock, pass: TellPeerTyping): TellPeerTyping {
  const told = new BoundedMemory<true>({ most: MOST }, { ms: EVERY_MS, clock })
  return (typing) => {
    const key = `${typing.numberId} ${typing.peer}`
    if (told.has(key)) return
    told.set(key, true)
    pass(typing)
  }
}
