/**
 * A scripted phone: the owner of an account. It scans QR codes, types pairing codes, writes, reads, calls and unlinks.
 * Between a phone and a linked device everything is really encrypted; between two phones nothing is.
 */
import { isJidGroup, type KeyPair, type proto, S_WHATSAPP_NET } from 'baileys'
import type { Account, Device, PhonePort } from './directory.ts'
import { type HistoryOptions, pushHistory } from './history.ts'
import { openMedia } from './media-cipher.ts'
import { endCall, onCallStanza, ring } from './phone-calls.ts'
import { makePhoneCipher } from './phone-cipher.ts'
import { markRead, receive } from './phone-inbox.ts'
import { type OutgoingMedia, mediaMessage } from './phone-media.ts'
import { openInbox, type ReceivedMessage, watch } from './phone-messages.ts'
import { send, sendAgain, type SendOptions, STORY } from './phone-outbox.ts'
import type { AutoReceipt, PhoneCall, PhoneState, World } from './phone-state.ts'
import { voteMessage } from './phone-votes.ts'
import { child, seconds, stanza } from './stanza.ts'

/** Links and unlinks devices: the network's part of what a phone does in its settings. */
export type Linking = {
  scan(account: Account, identity: KeyPair, qr: string): Promise<string>
  enterCode(account: Account, identity: KeyPair, code: string): Promise<string>
  unlink(account: Account): void
}

export type Phone = {
  number: string
  account: Account
  state: PhoneState
  /** Scans a QR text; resolves with the device's jid once it is linked and was told to reconnect. */
  scan(qr: string): Promise<string>
  /** Types a pairing code; rejects when the device shows another one. */
  enterCode(code: string): Promise<string>
  /** Unlinks all devices: they are logged out with 401. */
  unlink(): void
  /** Sends any message; resolves with its id once linked devices have it in their mailboxes. */
  send(to: string, message: proto.IMessage, options?: SendOptions): Promise<string>
  text(to: string, text: string, options?: SendOptions): Promise<string>
  /** Revokes an own message. */
  revoke(to: string, id: string): Promise<string>
  /** Gives an own message another text. */
  edit(to: string, id: string, text: string): Promise<string>
  react(to: string, id: string, emoji: string, fromMe?: boolean): Promise<string>
  /** Votes in a received poll; no options take the vote back. */
  vote(poll: ReceivedMessage, options: readonly string[]): Promise<string>
  received: ReceivedMessage[]
  /**
   * Sends an image, a video, a voice note or audio, a document, a sticker: encrypted at the media host as the real one
   * does.
   */
  media(to: string, media: OutgoingMedia, options?: SendOptions): Promise<string>
  /** Gives the bytes of received media; rejects when a digest or its authentication is wrong. */
  open(message: ReceivedMessage): Promise<Buffer>
  /** Posts a story of text; everybody sees it. */
  story(text: string): Promise<string>
  /** Pushes history to the youngest linked device; resolves once it acknowledged all batches. */
  pushHistory(options: HistoryOptions): Promise<void>
  /** Resolves with the first received message that fits, now or later. */
  find(fits: (message: ReceivedMessage) => boolean, timeoutMs?: number): Promise<ReceivedMessage>
  /** Tells the author that a message was read. */
  read(message: ReceivedMessage): void
  /** What this phone answers with by itself; `delivered` unless set. */
  setAutoReceipt(kind: AutoReceipt): void
  /** Answers every message of a person with this text; undefined ends it. */
  setAutoReply(text: string | undefined): void
  /**
   * Writes to people by hidden identifier (LID) from now on; with `numberKnown: false` stanzas do not show the number
   * either.
   */
  hide(options: { numberKnown: boolean }): void
  /** Shows the number again: with the next message, and to those who ask (usync of the hidden identifier). */
  revealNumber(): void
  /**
   * Shows the number and has the network tell the devices of another account which number the identifier belongs to,
   * without a message.
   */
  tellNumber(to: string): void
  /** Resolves with a receipt for a message this phone sent: `delivered` (any), `read`, `retry`. */
  receipt(id: string, type: string, timeoutMs?: number): Promise<void>
  /** Writes, records or pauses in a chat: the devices of the other side that are online are told. */
  types(to: string, state: 'composing' | 'recording' | 'paused'): void
  /** Rings at the linked devices of a number. */
  call(to: string, options?: { video?: boolean }): PhoneCall
  endCall(id: string, reason?: string): void
  /** Resolves once a call of this phone is in that state. */
  callState(id: string, wanted: PhoneCall['state'], timeoutMs?: number): Promise<void>
  /** Loses its sessions: the next message it gets cannot be read and is asked for again. */
  forgetSessions(): void
}

/** Answers a request of a linked device to its phone: older history of a chat. */
function answerPeer(state: PhoneState, device: Device, message: proto.IMessage): void {
  const wanted = message.protocolMessage?.peerDataOperationRequestMessage?.historySyncOnDemandRequest
  if (wanted)
    void pushHistory(state, device, { messages: wanted.onDemandMsgCount ?? 50, chats: 1, syncType: 'ON_DEMAND' })
}

function portOf(state: PhoneState, account: Account): PhonePort {
  return {
    onMessage: (relayed) => receive(state, relayed, (device, message) => answerPeer(state, device, message)),
    onPlain: (from, id, to, message) => {
      state.inbox.add({ id, from: from.number, chat: to, fromMe: from === account, message })
      state.notice()
    },
    onReceipt: (node, from) => {
      const { id = '', type = 'delivered' } = node.attrs
      state.receipts.push({ id, from: from.account.number, type })
      if (type === 'retry') sendAgain(state, from, id, child(node, 'retry')?.attrs['count'] ?? '1')
      state.notice()
    },
    onCall: (node) => onCallStanza(state, node),
    bundle: state.cipher.bundle,
  }
}

function stateOf(world: World, account: Account): PhoneState {
  return {
    account,
    world,
    cipher: makePhoneCipher(),
    inbox: openInbox(),
    autoReceipt: 'delivered',
    autoReply: undefined,
    hidden: false,
    sent: new Map(),
    lines: new Map(),
    incoming: Promise.resolve(),
    distributed: new Set(),
    receipts: [],
    calls: new Map(),
    faults: [],
    ...watch(),
  }
}

/** Posts the network's notice of which number an identifier belongs to. */
function tellNumber({ account, world }: PhoneState, to: string): void {
  const profile = { jid: account.lid, added_profiles: [{ pn: account.pn }] }
  const content = Buffer.from(JSON.stringify({ data: { xwa2_notify_linked_profiles: profile } }))
  const update = stanza('update', { op_name: 'NotificationLinkedProfilesUpdates' }, content)
  for (const device of world.directory.find(to)?.devices.values() ?? []) {
    device.mailbox.post(
      stanza('notification', { from: S_WHATSAPP_NET, type: 'mex', id: `profile-${account.number}`, t: seconds() }, [
        update,
      ]),
    )
  }
}

function types({ account, world }: PhoneState, to: string, state: 'composing' | 'recording' | 'paused'): void {
  const word = state === 'recording' ? stanza('composing', { media: 'audio' }) : stanza(state)
  for (const device of world.directory.find(to)?.devices.values() ?? [])
    if (device.presence === 'available') device.connection?.send(stanza('chatstate', { from: account.pn }, [word]))
}

const REVOKE = 0
const MESSAGE_EDIT = 14

function writing(state: PhoneState) {
  const keyOf = (to: string, id: string, fromMe = true) => ({
    remoteJid: to.includes('@') ? to : `${to}@s.whatsapp.net`,
    id,
    fromMe,
  })
  return {
    send: (to: string, message: proto.IMessage, options?: SendOptions) => send(state, to, message, options),
    text: (to: string, text: string, options?: SendOptions) => send(state, to, { conversation: text }, options),
    revoke: (to: string, id: string) =>
      send(state, to, { protocolMessage: { key: keyOf(to, id), type: REVOKE } }, { edit: '7' }),
    edit: (to: string, id: string, text: string) => {
      const edited = {
        key: keyOf(to, id),
        type: MESSAGE_EDIT,
        editedMessage: { conversation: text },
        timestampMs: Date.now(),
      }
      return send(state, to, { protocolMessage: edited }, { edit: '1' })
    },
    media: async (to: string, media: OutgoingMedia, options?: SendOptions) =>
      send(state, to, await mediaMessage(state.world.media, media), options),
    story: (text: string) => send(state, STORY, { extendedTextMessage: { text, backgroundArgb: 0xff1f7aec, font: 0 } }),
    vote(poll: ReceivedMessage, options: readonly string[]) {
      const creator = state.world.directory.find(poll.from)
      if (!creator) throw new Error(`${poll.from} has no account`)
      const isInGroup = isJidGroup(poll.chat) === true
      const hidden = isInGroup ? state.world.isHidden(poll.chat) : state.hidden
      const message = voteMessage(poll, options, { creator, voter: state.account, hidden })
      return send(state, isInGroup ? poll.chat : poll.from, message)
    },
    react: (to: string, id: string, emoji: string, fromMe = false) =>
      send(state, to, { reactionMessage: { key: keyOf(to, id, fromMe), text: emoji, senderTimestampMs: Date.now() } }),
  }
}

/** Makes a phone and the account it owns. */
export function makePhone(world: World, linking: Linking, number: string, name: string): Phone {
  let state: PhoneState | undefined
  const account = world.directory.add(number, name, (made) => portOf((state = stateOf(world, made)), made))
  if (!state) throw new Error('an account makes its phone at once')
  const own = state
  const { identity } = own.cipher
  return {
    number,
    account,
    state: own,
    received: own.inbox.messages,
    find: own.inbox.find,
    ...writing(own),
    scan: (qr) => linking.scan(account, identity, qr),
    enterCode: (code) => linking.enterCode(account, identity, code),
    unlink: () => linking.unlink(account),
    open: (message) => openMedia(world.media, message.message),
    pushHistory: async (options) => {
      const device = [...account.devices.values()].at(-1)
      if (!device) throw new Error('no device is linked to this phone')
      await pushHistory(own, device, options)
    },
    read: (message) => markRead(own, message),
    setAutoReceipt: (kind) => void (own.autoReceipt = kind),
    setAutoReply: (text) => void (own.autoReply = text),
    hide: ({ numberKnown }) => {
      own.hidden = true
      account.numberKnown = numberKnown
    },
    revealNumber: () => void (account.numberKnown = true),
    tellNumber: (to) => {
      account.numberKnown = true
      tellNumber(own, to)
    },
    receipt: async (id, type, timeoutMs) => {
      const seen = (): true | undefined =>
        own.receipts.some((one) => one.id === id && (type === 'delivered' || one.type === type)) ? true : undefined
      await own.until(seen, `a receipt ${type} of ${id}`, timeoutMs)
    },
    types: (to, state) => types(own, to, state),
    call: (to, { video = false } = {}) => ring(own, to, video),
    endCall: (id, reason = 'timeout') => endCall(own, id, reason),
    callState: async (id, wanted, timeoutMs) => {
      await own.until(() => (own.calls.get(id)?.state === wanted ? true : undefined), `call ${id} ${wanted}`, timeoutMs)
    },
    forgetSessions: () => own.cipher.forget(),
  }
}
