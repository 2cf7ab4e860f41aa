/** Delivers what a linked device sends: messages, receipts, calls, acknowledgements. */
import { type BinaryNode, isJidGroup, isJidNewsletter, jidDecode } from 'baileys'
import { fromAttributes, participantAttributes } from './addressing.ts'
import type { Account, Device, Directory } from './directory.ts'
import { child, children, seconds, stanza } from './stanza.ts'

export type RelayPorts = {
  directory: Directory
  /** Accounts in a group; empty when there is no such group. */
  members(group: string): Account[]
  /** True when members of the group see each other's hidden identifiers. */
  isHidden(group: string): boolean
  /** A post of a device into a newsletter. */
  onPost(device: Device, node: BinaryNode): void
  /** The code with which messages of this number are refused, if any. */
  refusal(number: string): string | undefined
}

/** Receipt types that acknowledge a message, so that it is not sent again. */
const ACKNOWLEDGING = new Set([undefined, 'inactive', 'sender', 'peer_msg', 'hist_sync'])

const EVERYBODY_READS = 'status@broadcast'

/** What each recipient gets of a message: its own part, then the part for all. */
function partsByRecipient(ports: RelayPorts, device: Device, node: BinaryNode): Map<string, BinaryNode[]> {
  const to = node.attrs['to'] ?? ''
  const shared = children(node, 'enc')
  const own = new Map(
    children(child(node, 'participants'), 'to').map((part) => [part.attrs['jid'] ?? '', children(part, 'enc')]),
  )
  if (isJidGroup(to) && !node.attrs['participant']) {
    const parts = new Map<string, BinaryNode[]>()
    const pairwise = new Map([...own].map(([jid, encrypted]) => [addressOf(ports.directory, jid), encrypted]))
    for (const address of ports.members(to).flatMap(addressesOf)) {
      if (address !== device.pn) parts.set(address, [...(pairwise.get(address) ?? []), ...shared])
    }
    return parts
  }
  if (to === EVERYBODY_READS) return new Map([...own].map(([jid, encrypted]) => [jid, [...encrypted, ...shared]]))
  if (own.size > 0) return own
  return new Map([[node.attrs['participant'] ?? to, shared]])
}

const addressesOf = (account: Account): string[] => [account.pn, ...[...account.devices.values()].map(({ pn }) => pn)]

const addressOf = (directory: Directory, jid: string): string =>
  directory.device(jid)?.pn ?? directory.find(jid)?.pn ?? jid

function relayed(
  ports: RelayPorts,
  device: Device,
  node: BinaryNode,
  recipient: Account,
  parts: BinaryNode[],
): BinaryNode {
  const { id, to, type, edit } = node.attrs
  const chat = node.attrs['recipient'] ?? to ?? ''
  const many = isJidGroup(chat) || chat === EVERYBODY_READS
  const sender = {
    account: device.account,
    device: device.id,
    hidden: many ? ports.isHidden(chat) : chat.endsWith('@lid'),
  }
  const origin = many ? participantAttributes(chat, sender) : fromAttributes(sender)
  const toOneself = !many && recipient === device.account ? { recipient: chat } : {}
  const identity = child(node, 'device-identity')
  const attributes = { ...origin, ...toOneself, id, type, edit, t: seconds(), notify: device.account.name }
  return stanza('message', attributes, identity ? [...parts, identity] : parts)
}

/**
 * Relays a message and acknowledges it to its sender; a refused number gets an acknowledgement with an error instead.
 */
export function relayMessage(ports: RelayPorts, device: Device, node: BinaryNode): void {
  const { id, to } = node.attrs
  const refusal = ports.refusal(device.account.number)
  const acknowledgement = { class: 'message', id, from: to, t: seconds(), error: refusal }
  if (refusal === undefined) {
    if (isJidNewsletter(to)) ports.onPost(device, node)
    else deliver(ports, device, node)
  }
  device.connection?.send(stanza('ack', acknowledgement))
}

function deliver(ports: RelayPorts, device: Device, node: BinaryNode): void {
  for (const [jid, parts] of partsByRecipient(ports, device, node)) {
    const account = ports.directory.find(jid)
    if (!account || parts.length === 0) continue
    const linked = jidDecode(jid)?.device
    if (linked) account.devices.get(linked)?.mailbox.post(relayed(ports, device, node, account, parts))
    else {
      const to = node.attrs['recipient'] ?? node.attrs['to'] ?? ''
      account.phone.onMessage({ id: node.attrs['id'] ?? '', from: device, to, attrs: node.attrs, encrypted: parts })
    }
  }
}

const idsOf = (node: BinaryNode): string[] => {
  const listed = children(child(node, 'list'), 'item').map(({ attrs }) => attrs['id'] ?? '')
  return [node.attrs['id'] ?? '', ...listed]
}

/** Handles a receipt: removes what it acknowledges, and passes it to the senders of the messages. */
export function relayReceipt(ports: RelayPorts, device: Device, node: BinaryNode): void {
  const { to, participant, type } = node.attrs
  if (ACKNOWLEDGING.has(type)) {
    for (const id of idsOf(node)) if (device.mailbox.acknowledge('message', id)) device.acknowledged.push(id)
  }
  if (type === 'sender' || type === 'peer_msg' || type === 'hist_sync') return
  const account = ports.directory.find(participant ?? to ?? '')
  if (!account) return
  account.phone.onReceipt(node, device)
  if (account === device.account || type === 'retry') return
  const hidden = (participant ?? to ?? '').endsWith('@lid')
  const sender = { account: device.account, device: device.id, hidden }
  const origin = to && isJidGroup(to) ? participantAttributes(to, sender) : fromAttributes(sender)
  for (const other of account.devices.values()) {
    other.mailbox.post(stanza('receipt', { ...origin, id: node.attrs['id'], type, t: seconds() }, node.content))
  }
}

/** Handles a device's stanza about a call; a query is answered by an acknowledgement. */
export function relayCall(ports: RelayPorts, device: Device, node: BinaryNode): void {
  ports.directory.find(node.attrs['to'] ?? '')?.phone.onCall(node, device)
  device.connection?.send(stanza('ack', { class: 'call', id: node.attrs['id'], from: node.attrs['to'], t: seconds() }))
}

/** Handles an acknowledgement: the stanza is not sent again. A message with an error code is recorded as refused. */
export function takeAcknowledgement(device: Device, node: BinaryNode): void {
  const { id = '', to, error } = node.attrs
  const kind = node.attrs['class'] ?? ''
  if (!device.mailbox.acknowledge(kind, id, to) || kind !== 'message') return
  device.acknowledged.push(id)
  if (error !== undefined) device.refused.push({ id, reason: error })
}
