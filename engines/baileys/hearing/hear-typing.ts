import type { WAPresence } from 'baileys'
import { Newest } from '../process/newest.ts'
import type { LiveSession } from '../session/live-session.ts'
import type { Listen } from '../socket/immediate-events.ts'
import { chatOf, lidIn, phoneIn } from '../translate-in/address.ts'

/** our choice: most people of a number whose last state is remembered. */
const MAX_REMEMBERED = 2_000
/** our choice, in ms: what one person does is told again after this long. */
const EVERY_MS = 1_000

/** The bridge's words for what the network says that a person does; it has none of its own for what ended. */
const WORDS: Partial<Record<WAPresence, 'typing' | 'recording'>> = { composing: 'typing', recording: 'recording' }

/**
 * Tells that a person writes in a chat, or does not any more ([engines.bridge.14]). The network tells it while the
 * number is online (setting `alwaysOnline`).
 */
export function hearTyping(live: LiveSession, listen: Listen): void {
  const last = new Newest<string, { readonly state: string; readonly atMs: number }>(MAX_REMEMBERED)
  listen('presence.update', ({ id, presences }) => {
    const chat = chatOf({ remoteJid: id })
    for (const [jid, { lastKnownPresence }] of Object.entries(presences)) {
      const state = WORDS[lastKnownPresence] ?? 'paused'
      const [key, nowMs] = [`${id} ${jid}`, performance.now()]
      const before = last.get(key) ?? { state: 'paused', atMs: -Infinity }
      if (state === before.state && (state === 'paused' || nowMs - before.atMs < EVERY_MS)) continue
      last.set(key, { state, atMs: nowMs })
      void tell(live, jid, state, chat.kind === 'group' ? { group: chat.id } : {})
    }
  })
}

/** Tells it by the number of the person where that is known, else by the id; not of who is neither. */
async function tell(live: LiveSession, jid: string, state: string, where: { readonly group?: string }): Promise<void> {
  const lid = lidIn(jid)
  const peer = phoneIn(jid) ?? (await live.lids.phoneOf(jid).catch(() => null)) ?? (lid && `${lid}@lid`)
  if (peer && peer !== live.number) live.hint({ ev: 'peer.typing', peer, ...where, state })
}
