/** How a phone writes to people, groups and stories; its own linked devices see such messages as written elsewhere. */
import { randomBytes } from 'node:crypto'
import { type BinaryNode, isJidGroup, type proto } from 'baileys'
import { fromAttributes, participantAttributes, type Sender } from './addressing.ts'
import { type Account, type Device, userOf } from './directory.ts'
import { post, type PhoneState, remember, type SentMessage } from './phone-state.ts'
import { seconds, stanza } from './stanza.ts'

export const STORY = 'status@broadcast'

export type SendOptions = {
  /** The upstream id; random when unset. */
  id?: string
  /** Value of the stanza's `edit`: 1 edit, 7 revoke of an own message, 8 by an administrator. */
  edit?: string
}

/** Gives the jid for a number, or the jid itself. */
export const jidOf = (to: string): string => (to.includes('@') ? to : `${userOf(to)}@s.whatsapp.net`)

const drawId = (): string => `3A${randomBytes(9).toString('hex').toUpperCase()}`

function typeOf(message: proto.IMessage): string {
  if (message.reactionMessage) return 'reaction'
  if (message.pollCreationMessage ?? message.pollCreationMessageV3 ?? message.pollUpdateMessage) return 'poll'
  const { imageMessage, videoMessage, audioMessage, documentMessage, stickerMessage } = message
  return (imageMessage ?? videoMessage ?? audioMessage ?? documentMessage ?? stickerMessage) ? 'media' : 'text'
}

const isMany = (to: string): boolean => isJidGroup(to) === true || to === STORY

function audience(state: PhoneState, to: string): Account[] {
  if (isJidGroup(to)) return state.world.members(to)
  // Here everybody is in everybody's address book, so everybody sees a story.
  if (to === STORY) return [...state.world.directory.accounts.values()]
  const account = state.world.directory.find(to) ?? state.world.known(userOf(to))
  if (!account) throw new Error(`${to} is not registered`)
  return [...new Set([account, state.account])]
}

/** Sends a message; resolves with its id once every linked device has it in its mailbox. */
export async function send(
  state: PhoneState,
  to: string,
  message: proto.IMessage,
  options: SendOptions = {},
): Promise<string> {
  const jid = jidOf(to)
  const id = options.id ?? drawId()
  const attrs: Record<string, string> = { type: typeOf(message), ...(options.edit ? { edit: options.edit } : {}) }
  const sent = { id, to: jid, message, attrs }
  remember(state, sent)
  const recipients = audience(state, jid)
  const group = isMany(jid) ? await groupParts(state, jid, message) : undefined
  const posted: Promise<void>[] = []
  for (const account of recipients) {
    if (account !== state.account) account.phone.onPlain(state.account, id, jid, message)
    for (const device of account.devices.values()) {
      posted.push(
        post(state, device, () => (group ? groupStanza(state, device, sent, group) : pairStanza(state, device, sent))),
      )
    }
  }
  await Promise.all(posted)
  return id
}

type GroupParts = { part: BinaryNode; distribution: proto.IMessage }

const groupParts = (state: PhoneState, to: string, message: proto.IMessage): Promise<GroupParts> =>
  state.cipher.sealForGroup(to, state.account.lid, message)

/** The sender in which this phone appears in a chat. */
export function senderIn(state: PhoneState, chat: string): Sender {
  return { account: state.account, device: 0, hidden: isJidGroup(chat) ? state.world.isHidden(chat) : state.hidden }
}

function frame(state: PhoneState, device: Device, sent: SentMessage, parts: BinaryNode[]): BinaryNode {
  const sender = senderIn(state, sent.to)
  const origin = isMany(sent.to) ? participantAttributes(sent.to, sender) : fromAttributes(sender)
  const own = !isMany(sent.to) && device.account === state.account ? { recipient: sent.to } : {}
  return stanza(
    'message',
    { ...origin, ...own, ...sent.attrs, id: sent.id, t: seconds(), notify: state.account.name },
    parts,
  )
}

/** The content for a device: on an own device it contains the chat that the message was sent to. */
function contentFor(state: PhoneState, device: Device, sent: SentMessage): proto.IMessage {
  if (device.account !== state.account || isMany(sent.to)) return sent.message
  return { deviceSentMessage: { destinationJid: sent.to, message: sent.message } }
}

async function pairStanza(state: PhoneState, device: Device, sent: SentMessage): Promise<BinaryNode> {
  return frame(state, device, sent, [await state.cipher.seal(device, contentFor(state, device, sent))])
}

async function groupStanza(
  state: PhoneState,
  device: Device,
  sent: SentMessage,
  group: GroupParts,
): Promise<BinaryNode> {
  const pair = `${sent.to} ${device.pn}`
  if (state.distributed.has(pair)) return frame(state, device, sent, [group.part])
  state.distributed.add(pair)
  return frame(state, device, sent, [await state.cipher.seal(device, group.distribution), group.part])
}

/** Sends a message again to the one device that could not read it, over a new session, with the count of its asking. */
export function sendAgain(state: PhoneState, device: Device, id: string, count: string): void {
  const sent = state.sent.get(id)
  if (!sent) return
  void post(state, device, async () => {
    await state.cipher.renew(device)
    state.distributed.delete(`${sent.to} ${device.pn}`)
    const content = contentFor(state, device, sent)
    const distribution = isMany(sent.to) ? (await groupParts(state, sent.to, sent.message)).distribution : {}
    const part = await state.cipher.seal(device, { ...content, ...distribution })
    return frame(state, device, sent, [{ ...part, attrs: { ...part.attrs, count } }])
  })
}

/** Sends something to one linked device of the own account only, as phones do for history (category `peer`). */
export function sendToOwnDevice(
  state: PhoneState,
  device: Device,
  message: proto.IMessage,
): { id: string; posted: Promise<void> } {
  const id = drawId()
  const posted = post(state, device, async () => {
    const part = await state.cipher.seal(device, message)
    return stanza(
      'message',
      { from: state.account.pn, id, type: 'text', category: 'peer', t: seconds(), notify: state.account.name },
      [part],
    )
  })
  return { id, posted }
}
