/**
 * The directory: accounts (a phone number, its hidden identifier, its phone) and their linked devices (sessions of
 * engines).
 */
import { type BinaryNode, jidDecode, jidEncode, type proto } from 'baileys'
import type { Connection } from './connection.ts'
import type { Mailbox } from './mailbox.ts'

/** The keys that a client published, with which others open an end-to-end session. */
export type DeviceKeys = {
  identity: Buffer
  registration: Buffer
  signedPreKey: BinaryNode
  preKeys: BinaryNode[]
  lowTold: boolean
}

/** What the network delivers to a phone; no call is awaited. */
export type PhonePort = {
  /** A message for this account; `enc` nodes addressed to its phone, or the plaintext of a newsletter. */
  onMessage(message: RelayedMessage): void
  /** A message of another phone. Between two phones nothing is encrypted, because no code under test would see it. */
  onPlain(from: Account, id: string, to: string, message: proto.IMessage): void
  onReceipt(node: BinaryNode, from: Device): void
  onCall(node: BinaryNode, from: Device): void
  /** The bundle with which others open a session with this phone. */
  bundle(): BinaryNode[]
}

export type RelayedMessage = {
  id: string
  from: Device
  /** The chat as the sender addressed it: a user, a group, status@broadcast, a newsletter. */
  to: string
  /** Attributes of the stanza: type, edit, category... */
  attrs: Record<string, string>
  /** The parts encrypted for this phone, pairwise first. */
  encrypted: BinaryNode[]
}

export type Account = {
  number: string
  pn: string
  lid: string
  name: string
  phone: PhonePort
  devices: Map<number, Device>
  nextDevice: number
  nextKeyIndex: number
  /** False while others know the account only by its hidden identifier (see revealNumber of a phone). */
  numberKnown: boolean
}

export type Device = {
  account: Account
  id: number
  /** The address with the device part: `number:id@s.whatsapp.net`. */
  pn: string
  lid: string
  keyIndex: number
  /** The noise key it was paired with; a login with another one is refused. */
  noiseKey: Buffer
  keys: DeviceKeys | undefined
  /** Settles once keys were published for the first time. */
  keyed: Promise<void>
  onKeyed(): void
  connection: Connection | undefined
  mailbox: Mailbox
  /** Ids of messages with a receipt or acknowledgement, in order of arrival. */
  acknowledged: string[]
  /** Ids the device refused, with the reason it gave. */
  refused: { id: string; reason: string }[]
  presence: string | undefined
  /** What it showed in chats while it wrote, in order: `composing`, `composing audio`, `paused`. */
  chatStates: { to: string; state: string }[]
}

export type Directory = {
  accounts: Map<string, Account>
  /** Finds an account by number, phone-number jid or hidden identifier, with or without device. */
  find(jid: string): Account | undefined
  /** Finds a linked device; undefined for phones and for what does not exist. */
  device(jid: string): Device | undefined
  add(number: string, name: string, makePhone: (account: Account) => PhonePort): Account
}

/** Gives the user part of a jid or of a bare number. */
export const userOf = (jid: string): string => jidDecode(jid)?.user ?? jid

/** Makes the hidden identifier of a number. Our choice: it is derived, so that runs repeat, and no phone number. */
export const lidUserOf = (number: string): string => `77${number.padStart(13, '0')}`

/** Makes a directory without accounts. */
export function openDirectory(): Directory {
  const accounts = new Map<string, Account>()
  const byLid = new Map<string, Account>()
  const find = (jid: string): Account | undefined => {
    const user = userOf(jid)
    return jid.endsWith('@lid') ? byLid.get(user) : accounts.get(user)
  }
  return {
    accounts,
    find,
    device: (jid) => find(jid)?.devices.get(jidDecode(jid)?.device ?? 0),
    add: (number, name, makePhone) => {
      const account: Account = {
        number,
        name,
        devices: new Map(),
        nextDevice: 1,
        nextKeyIndex: 1,
        numberKnown: true,
        pn: jidEncode(number, 's.whatsapp.net'),
        lid: jidEncode(lidUserOf(number), 'lid'),
        phone: undefined as unknown as PhonePort,
      }
      account.phone = makePhone(account)
      accounts.set(number, account)
      byLid.set(lidUserOf(number), account)
      return account
    },
  }
}
