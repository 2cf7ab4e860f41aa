/** What a phone is made of; its verbs are in phone-*.ts and work on this state. */
import type { BinaryNode, proto } from 'baileys'
import type { Account, Device, Directory } from './directory.ts'
import type { MediaStore } from './media-store.ts'
import type { PhoneCipher } from './phone-cipher.ts'
import type { Inbox } from './phone-messages.ts'

/** What phones need of the network around them. */
export type World = {
  directory: Directory
  media: MediaStore
  /** Finds an account; makes it when the number may exist. */
  known(number: string): Account | undefined
  members(group: string): Account[]
  isHidden(group: string): boolean
}

export type SentMessage = { id: string; to: string; message: proto.IMessage; attrs: Record<string, string> }

export type PhoneCall = { id: string; to: string; state: 'ringing' | 'rejected' | 'ended'; reason: string | undefined }

/** Sent without being asked for what arrives: nothing, that it arrived, or also that it was read. */
export type AutoReceipt = 'none' | 'delivered' | 'read'

export type PhoneState = {
  account: Account
  world: World
  cipher: PhoneCipher
  inbox: Inbox
  autoReceipt: AutoReceipt
  autoReply: string | undefined
  /** Writes to people by hidden identifier instead of phone number. */
  hidden: boolean
  sent: Map<string, SentMessage>
  /** One line per device: what is sent to it keeps its order while sealing takes time. */
  lines: Map<Device, Promise<void>>
  /** What arrives is opened one after the other. */
  incoming: Promise<void>
  /** `group device` pairs that hold this phone's sender key. */
  distributed: Set<string>
  receipts: { id: string; from: string; type: string }[]
  calls: Map<string, PhoneCall>
  /** Hears of everything that changed here. */
  notice(): void
  until<T>(look: () => T | undefined, what: string, timeoutMs?: number): Promise<T>
  /** Errors of the phone itself: a test that fails looks here. */
  faults: string[]
}

/** Sent messages are kept for devices that ask again; older ones leave. Our choice. */
const KEPT_SENT = 20_000

/** Remembers what was sent, for devices that could not read it. */
export function remember(state: PhoneState, sent: SentMessage): void {
  state.sent.set(sent.id, sent)
  if (state.sent.size <= KEPT_SENT) return
  const oldest = state.sent.keys().next().value
  if (oldest !== undefined) state.sent.delete(oldest)
}

/** Queues a stanza for a device: sealed in its turn, once the device has keys, posted to its mailbox. */
export function post(state: PhoneState, device: Device, make: () => Promise<BinaryNode>): Promise<void> {
  const before = state.lines.get(device) ?? Promise.resolve()
  const after = before
    .then(() => device.keyed)
    .then(async () => device.mailbox.post(await make()))
    .catch((error: unknown) => {
      state.faults.push(String(error))
    })
  state.lines.set(device, after)
  return after
}
