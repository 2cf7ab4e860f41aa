/**
 * History as a phone pushes it to a linked device: batches, each in a peer message of its own. It uses the inline form,
 * because the other one points at media that the library fetches from the live host whatever `media_conn` says.
 */
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { proto } from 'baileys'
import type { Device } from './directory.ts'
import { sendToOwnDevice } from './phone-outbox.ts'
import type { PhoneState } from './phone-state.ts'

export type HistoryOptions = {
  /** Messages in all; spread over the chats in turn. */
  messages: number
  /** Chats with made-up people; 10 unless set. */
  chats?: number
  /** Messages in a batch; 500 unless set. */
  batch?: number
  /** How many batches may be unacknowledged at once; 4 unless set. */
  window?: number
  /** `RECENT` unless set. */
  syncType?: 'INITIAL_BOOTSTRAP' | 'RECENT' | 'FULL' | 'ON_DEMAND' | 'PUSH_NAME'
  /** Names chats by hidden identifier; the batch contains the numbers (`phoneNumberToLidMappings`). */
  hidden?: boolean
}

const { HistorySyncType } = proto.HistorySync
const HISTORY_SYNC_NOTIFICATION = 5

/** Numbers of the made-up people of history. */
const peerNumber = (chat: number): string => `55119${String(80_000_000 + chat)}`
const peerLid = (chat: number): string => `88${String(chat).padStart(13, '0')}@lid`

/** Gives the text of the n-th message of history, counted from the oldest; tests look for it. */
export const historyText = (position: number): string => `history ${position}`

function messageAt(position: number, chat: number, total: number, hidden: boolean): proto.IHistorySyncMsg {
  const remoteJid = hidden ? peerLid(chat) : `${peerNumber(chat)}@s.whatsapp.net`
  const key = { remoteJid, id: `HISTORY${String(position).padStart(8, '0')}`, fromMe: position % 3 === 0 }
  const messageTimestamp = Math.floor(Date.now() / 1000) - 86_400 - (total - position)
  return {
    message: { key, message: { conversation: historyText(position) }, messageTimestamp, status: 4 },
    msgOrderId: position,
  }
}

/** Makes one batch: messages from `start` on. */
function makeBatch(options: Required<HistoryOptions>, start: number, order: number): proto.IHistorySync {
  const end = Math.min(start + options.batch, options.messages)
  const conversations = new Map<number, proto.IConversation>()
  for (let position = start; position < end; position++) {
    const chat = position % options.chats
    const id = options.hidden ? peerLid(chat) : `${peerNumber(chat)}@s.whatsapp.net`
    const conversation = conversations.get(chat) ?? { id, name: `Old friend ${chat}`, messages: [] }
    conversation.messages?.unshift(messageAt(position, chat, options.messages, options.hidden))
    conversations.set(chat, conversation)
  }
  const mappings = options.hidden
    ? [...conversations.keys()].map((chat) => ({ lidJid: peerLid(chat), pnJid: `${peerNumber(chat)}@s.whatsapp.net` }))
    : []
  return {
    syncType: HistorySyncType[options.syncType],
    conversations: [...conversations.values()],
    chunkOrder: order,
    progress: options.messages === 0 ? 100 : Math.round((end / options.messages) * 100),
    phoneNumberToLidMappings: mappings,
  }
}

async function pushBatch(state: PhoneState, device: Device, batch: proto.IHistorySync): Promise<string> {
  const packed = await promisify(deflate)(proto.HistorySync.encode(batch).finish())
  const { syncType, chunkOrder, progress } = batch
  const historySyncNotification = {
    initialHistBootstrapInlinePayload: packed,
    syncType,
    chunkOrder,
    progress,
  } as proto.Message.IHistorySyncNotification
  const { id, posted } = sendToOwnDevice(state, device, {
    protocolMessage: { type: HISTORY_SYNC_NOTIFICATION, historySyncNotification },
  })
  await posted
  return id
}

/** Pushes history to a linked device; resolves once the device acknowledged every batch. */
export async function pushHistory(state: PhoneState, device: Device, given: HistoryOptions): Promise<void> {
  const options = { chats: 10, batch: 500, window: 4, syncType: 'RECENT' as const, hidden: false, ...given }
  const underway = new Set<Promise<void>>()
  for (let start = 0, order = 1; start < Math.max(options.messages, 1); start += options.batch, order++) {
    const id = await pushBatch(state, device, makeBatch(options, start, order))
    const acknowledged = device.mailbox.whenGone(id).then(() => void underway.delete(acknowledged))
    underway.add(acknowledged)
    if (underway.size >= options.window) await Promise.race(underway)
  }
  await Promise.all(underway)
}
