import type { WAMessage } from 'baileys'
import { errorFields } from '../process/log.ts'
import { Turns } from '../process/turns.ts'
import type { EngineEvent } from '../protocol/engine-event.ts'
import type { LiveSession } from '../session/live-session.ts'
import { tellMessage } from '../session/tell-message.ts'
import type { Listen } from '../socket/immediate-events.ts'

/** [engines.baileys-duties.6]: messages of the past go out in batches of at most so many. */
export const HISTORY_BATCH = 200

const HISTORIES = new WeakMap<LiveSession, Turns>()

/**
 * Tells messages from before the pairing, where they are wanted: from a backlog on the disk, as the gateway stores
 * them, beside what arrives now.
 */
export function hearHistory(live: LiveSession, listen: Listen): void {
  const turns = HISTORIES.get(live) ?? new Turns()
  HISTORIES.set(live, turns)
  const run = (work: () => Promise<void>): void => {
    turns.run(work).catch((error: unknown) => live.log.error(errorFields(error), 'a history could not be told'))
  }
  // What an earlier life of the engine, or of the socket, did not get to.
  run(() => tellBacklog(live))
  listen('messaging-history.set', ({ messages }) => {
    // Taken out of the event: the library's buffer would hold them a second time.
    const taken = messages.splice(0)
    if (!live.historyImport || taken.length === 0) return
    // Beside the turns: a backlog that waits for the gateway must not keep these in memory.
    live.holds(
      keep(live, taken)
        .then(() => run(() => tellBacklog(live)))
        .catch((error: unknown) => live.log.error(errorFields(error), 'a history could not be kept')),
    )
  })
}

/** Oldest first; each batch is on the disk before the next is read. */
async function keep(live: LiveSession, messages: WAMessage[]): Promise<void> {
  messages.sort((a, b) => Number(a.messageTimestamp ?? 0) - Number(b.messageTimestamp ?? 0))
  while (messages.length > 0) {
    const events: EngineEvent[] = []
    for (const message of messages.splice(0, HISTORY_BATCH))
      events.push(...(await tellMessage(live, { message, historical: true })))
    await live.store.backlog.put(events)
  }
}

/** The next batch goes out only when the gateway has stored most of what went before. */
async function tellBacklog(live: LiveSession): Promise<void> {
  for (;;) {
    await live.drained(HISTORY_BATCH)
    // Let go although more waits: the session ended.
    if (live.store.events.waiting > HISTORY_BATCH) return
    const { events, remove } = live.store.backlog.first(HISTORY_BATCH)
    if (events.length === 0) return
    await live.emitAll(events, remove)
  }
}
