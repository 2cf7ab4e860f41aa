/** How a phone reads messages of linked devices, and the receipts it sends. */
import { encodeBigEndian, isJidGroup, isJidNewsletter, type proto } from 'baileys'
import { fromAttributes, participantAttributes } from './addressing.ts'
import type { Account, Device, RelayedMessage } from './directory.ts'
import type { ReceivedMessage } from './phone-messages.ts'
import { send, STORY } from './phone-outbox.ts'
import type { PhoneState } from './phone-state.ts'
import { seconds, stanza, type Attributes } from './stanza.ts'

/** Decrypts a message in its turn; one that cannot be decrypted is asked for again, as a phone does. */
export function receive(
  state: PhoneState,
  relayed: RelayedMessage,
  onPeer: (device: Device, message: proto.IMessage) => void,
): void {
  state.incoming = state.incoming.then(async () => {
    try {
      const opened = await open(state, relayed)
      if (relayed.attrs['category'] === 'peer') return onPeer(relayed.from, opened)
      take(state, relayed, opened)
    } catch (error) {
      state.faults.push(`${relayed.id}: ${String(error)}`)
      askAgain(state, relayed)
    }
  })
}

async function open(state: PhoneState, { from, to, encrypted }: RelayedMessage): Promise<proto.IMessage> {
  let whole: proto.IMessage = {}
  for (const part of encrypted) {
    const shared = part.attrs['type'] === 'skmsg'
    const message = shared ? await state.cipher.openFromGroup(to, from, part) : await state.cipher.open(from, part)
    if (message.senderKeyDistributionMessage)
      await state.cipher.learnSenderKey(from, message.senderKeyDistributionMessage)
    whole = { ...whole, ...message }
  }
  return whole
}

function take(state: PhoneState, relayed: RelayedMessage, opened: proto.IMessage): void {
  const sentElsewhere = opened.deviceSentMessage
  const message = sentElsewhere?.message ?? opened
  const chat = sentElsewhere?.destinationJid ?? relayed.to
  const account = relayed.from.account
  const received = state.inbox.add({
    id: relayed.id,
    from: account.number,
    chat,
    fromMe: account === state.account,
    message,
  })
  state.notice()
  if (account === state.account || isJidNewsletter(chat)) return
  if (state.autoReply !== undefined && !isJidGroup(chat) && chat !== STORY && !message.protocolMessage) {
    void send(state, account.number, { conversation: state.autoReply })
  }
  if (state.autoReceipt === 'none') return
  sendReceipt(state, account, chat, received.id)
  if (state.autoReceipt === 'read') sendReceipt(state, account, chat, received.id, 'read')
}

/** Attributes with which this phone answers in a chat: addressed the way it was written to. */
function answering(state: PhoneState, chat: string): Attributes {
  const many = isJidGroup(chat) || chat === STORY
  const hidden = many && isJidGroup(chat) ? state.world.isHidden(chat) : chat.endsWith('@lid')
  const sender = { account: state.account, device: 0, hidden }
  return many ? participantAttributes(chat, sender) : fromAttributes(sender)
}

/** Sends a receipt of a message to all devices of its author; without a type it says delivered. */
export function sendReceipt(state: PhoneState, author: Account, chat: string, id: string, type?: string): void {
  for (const device of author.devices.values()) {
    device.mailbox.post(stanza('receipt', { ...answering(state, chat), id, type, t: seconds() }))
  }
}

/** Tells the author of a received message that it was read here. */
export function markRead(state: PhoneState, message: ReceivedMessage): void {
  const author = state.world.directory.find(message.from)
  if (author) sendReceipt(state, author, message.chat, message.id, 'read')
}

function askAgain(state: PhoneState, relayed: RelayedMessage): void {
  const retry = stanza('retry', { count: '1', id: relayed.id, t: seconds(), v: '1', error: '0' })
  const registration = stanza('registration', {}, encodeBigEndian(state.cipher.registrationId))
  const chat = relayed.from.account === state.account ? state.account.pn : relayed.to
  relayed.from.mailbox.post(
    stanza('receipt', { ...answering(state, chat), id: relayed.id, type: 'retry', t: seconds() }, [
      retry,
      registration,
    ]),
  )
}
