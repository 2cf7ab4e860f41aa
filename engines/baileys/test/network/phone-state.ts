/** The state of a phone; its verbs are in phone-*.ts and work on this state. */
import type { BinaryNode, proto } from 'baileys'
import type { Account, Device, Directory } from './directory.ts'
import type { MediaStore } from './media-store.ts'
import type { PhoneCipher } from './phone-cipher.ts'
import type { Inbox } from './phone-messages.ts'

/** The parts of the network that phones use. */
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

/** Receipts that a phone sends by itself for what arrives: none, delivered, or also read. */
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
  /** One queue for each device, so that its messages keep their order while encrypting takes time. */
  lines: Map<Device, Promise<void>>
  /** Messages are decrypted one after another. */
  incoming: Promise<void>
  /** `group device` pairs that hold this phone's sender key. */
  distributed: Set<string>
  receipts: { id: string; from: string; type: string }[]
  calls: Map<string, PhoneCall>
  /** Called at every change of the phone. */
  notice(): void
  until<T>(look: () => T | undefined, what: string, timeoutMs?: number): Promise<T>
  /** Errors of the phone itself, for a test that fails. */
  faults: string[]
}

/** Our choice: how many sent messages are kept for devices that ask again; older ones are dropped. */
const KEPT_SENT = 20_000

/** Remembers what was sent, for devices that could not read it. */
export function remember(state: PhoneState, sent: SentMessage): void {
  state.sent.set(sent.id, sent)
  if (state.sent.size <= KEPT_SENT) return
  const oldest = state.sent.keys().next().value
  if (oldest !== undefined) state.sent.delete(oldest)
}

/** Queues a stanza for a device: encrypted in its turn, once the device has keys, and posted to its mailbox. */
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
