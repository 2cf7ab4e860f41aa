import { errorFields } from '../process/log.ts'
import type { EngineEvent } from '../protocol/engine-event.ts'
import { lidIn, writerJids } from '../translate-in/address.ts'
import { mayChange } from '../translate-in/may-change.ts'
import { changedId, readMessage, type InboundMessage, type ReadingContext } from '../translate-in/message.ts'
import { readVote, votedId } from '../translate-in/poll-vote.ts'
import { isWanted } from '../translate-in/wanted.ts'
import { withPeer } from './known-peer.ts'
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
  const voted = votedId(message)
  if (voted !== null) return historical ? [] : tellVote(live, message, voted)
  const changed = changedId(message)
  const target = changed === null ? null : ((await live.store.seen.find(changed))?.key ?? null)
  const phones = await phonesBehind(
    live,
    [...writerJids(key), key.remoteJid, target?.participant, target?.remoteJid],
    historical,
  )
  const context = contextOf(live, phones, historical)
  const isOurs = await isSentHere(live, changed ?? (key.fromMe ? key.id : null))
  if (changed !== null && !mayChange(key, { isOurs, key: target }, context.phoneOf)) return []
  const read = readMessage(message, { ...context, isOurs })
  if (!read) return []
  note(live, message.key, read)
  return [withReference(await withPeer(live, message, read, phones))]
}

/** The event of a vote in a poll that the gateway sent; none for other polls, whose secrets nobody here has. */
async function tellVote(
  live: LiveSession,
  message: ArrivedMessage['message'],
  pollId: string,
): Promise<readonly EngineEvent[]> {
  const poll = await live.store.polls.find(pollId)
  if (!poll) return []
  const { key } = message
  const me = (await live.store.session())?.creds.me
  const phones = await phonesBehind(live, [...writerJids(key), key.remoteJid], false)
  const vote = readVote(message, { ...contextOf(live, phones, false), poll, own: [me?.id, me?.lid] })
  if (!vote) live.log.warn({ numberId: live.numberId }, 'a vote in a poll could not be read')
  return vote ? [vote] : []
}

/** Whether the gateway itself sent the message of that id. */
async function isSentHere({ store }: LiveSession, id: string | null | undefined): Promise<boolean> {
  return id !== null && id !== undefined && (await store.outgoing.byExternalId(id)) !== null
}

function contextOf(
  live: LiveSession,
  phones: ReadonlyMap<string, string>,
  historical: boolean,
): Omit<ReadingContext, 'isOurs'> {
  return {
    number: live.number,
    historical,
    now: Date.now(),
    phoneOf: (lid) => phones.get(lid) ?? null,
    roomName: (id) => roomName(live, id),
  }
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
