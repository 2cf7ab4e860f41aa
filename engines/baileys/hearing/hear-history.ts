import type { WAMessage } from 'baileys'
import { errorFields } from '../process/log.ts'
import { Turns } from '../process/turns.ts'
import type { EngineEvent } from '../protocol/engine-event.ts'
import type { LiveSession } from '../session/live-session.ts'
import { tellMessage } from '../session/tell-message.ts'
import type { Listen } from '../socket/immediate-events.ts'

/** [engines.baileys-duties.6]: most messages of the past in one batch. */
export const HISTORY_BATCH = 200

const HISTORIES = new WeakMap<LiveSession, Turns>()

/**
 * Reports messages from before the pairing when they are wanted. They wait in a backlog on the disk and go out as the
 * gateway stores them, beside new arrivals.
 */
export function hearHistory(live: LiveSession, listen: Listen): void {
  const turns = HISTORIES.get(live) ?? new Turns()
  HISTORIES.set(live, turns)
  const run = (work: () => Promise<void>): void => {
    turns
      .run(work)
      .catch((error: unknown) =>
        live.log.error(errorFields(error), 'messages of a history could not be handed to the gateway'),
      )
  }
  // Reports what is left of an earlier life of the engine or the socket.
  run(() => tellBacklog(live))
  listen('messaging-history.set', ({ messages }) => {
    // The messages are taken out of the event, because the library's buffer would hold them a second time.
    const taken = messages.splice(0)
    if (!live.historyImport || taken.length === 0) return
    // Keeping runs outside of the turns, so that a backlog that waits for the gateway does not hold these in memory.
    live.holds(
      keep(live, taken)
        .then(() => run(() => tellBacklog(live)))
        .catch((error: unknown) => live.log.error(errorFields(error), 'messages of a history could not be stored')),
    )
  })
}

/** Writes messages to the backlog, oldest first. Each batch is on the disk before the next is read. */
async function keep(live: LiveSession, messages: WAMessage[]): Promise<void> {
  messages.sort((a, b) => Number(a.messageTimestamp ?? 0) - Number(b.messageTimestamp ?? 0))
  while (messages.length > 0) {
    const events: EngineEvent[] = []
    for (const message of messages.splice(0, HISTORY_BATCH))
      events.push(...(await tellMessage(live, { message, historical: true })))
    await live.store.backlog.put(events)
  }
}

/** Sends the backlog. The next batch goes out only when the gateway has stored most of the previous one. */
async function tellBacklog(live: LiveSession): Promise<void> {
  for (;;) {
    await live.drained(HISTORY_BATCH)
    // The wait ended although more events wait, because the session ended.
    if (live.store.events.waiting > HISTORY_BATCH) return
    const { events, removal } = await live.store.backlog.first(HISTORY_BATCH)
    if (events.length === 0) return
    await live.emitAll(events, removal)
  }
}
