import { errorFields } from '../process/log.ts'
import type { EngineEvent } from '../protocol/engine-event.ts'
import { lidIn, writerJids } from '../translate-in/address.ts'
import { mayChange } from '../translate-in/may-change.ts'
import { changedId, readMessage, type InboundMessage } from '../translate-in/message.ts'
import { isWanted } from '../translate-in/wanted.ts'
import { lookUpLid } from './lid-lookup.ts'
import type { ArrivedMessage, LiveSession } from './live-session.ts'
import { withReference } from './present.ts'
import { roomName } from './room-names.ts'

/**
 * The events of a message; empty when the gateway is told nothing. It looks up what reading the message needs, and runs
 * in the order of the messages.
 */
export async function tellMessage(
  live: LiveSession,
  { message, historical }: ArrivedMessage,
): Promise<readonly EngineEvent[]> {
  const { key } = message
  if (!isWanted(key, live.settings)) return []
  const changed = changedId(message)
  const target = changed === null ? null : (live.store.seen.find(changed)?.key ?? null)
  const phones = await phonesBehind(
    live,
    [...writerJids(key), key.remoteJid, target?.participant, target?.remoteJid],
    historical,
  )
  const isOurs = (id: string): boolean => live.store.outgoing.byExternalId(id) !== null
  const phoneOf = (lid: string): string | null => phones.get(lid) ?? null
  if (changed !== null && !mayChange(key, { isOurs: isOurs(changed), key: target }, phoneOf)) return []
  const read = readMessage(message, {
    number: live.number,
    historical,
    now: Date.now(),
    phoneOf,
    isOurs,
    roomName: (id) => roomName(live, id),
  })
  if (!read) return []
  note(live, message.key, read)
  return [withReference(read)]
}

/** Notes what marking as read, answering and reacting will need later; written in the commit of the event. */
function note(
  live: LiveSession,
  { remoteJid, participant, fromMe, id }: ArrivedMessage['message']['key'],
  { event }: InboundMessage,
): void {
  if (!('to' in event) || !remoteJid || !id) return
  live.store.seen
    .note({
      key: { remoteJid, participant: participant ?? null, fromMe: fromMe === true, id },
      text: event.content.text ?? '',
    })
    .catch((error: unknown) => live.log.error(errorFields(error), 'a message could not be noted'))
}

/**
 * The phone numbers of LIDs. For history only known ones are used, because thousands of people would be asked for at
 * once.
 */
async function phonesBehind(
  live: LiveSession,
  jids: readonly (string | null | undefined)[],
  historical: boolean,
): Promise<ReadonlyMap<string, string>> {
  const phones = new Map<string, string>()
  const hasPhone = jids.some((jid) => jid?.endsWith('@s.whatsapp.net'))
  for (const jid of jids) {
    const lid = lidIn(jid)
    if (lid === null) continue
    const phone =
      (await live.lids.phoneOf(`${lid}@lid`)) ?? (historical || hasPhone ? null : await lookUpLid(live, lid))
    if (phone !== null) phones.set(lid, phone)
  }
  return phones
}
