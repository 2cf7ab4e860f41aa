/** Logins: who may come in, what a device is told first, and how the network throws it out. */
import { type BinaryNode, jidEncode, type KeyPair, type proto } from 'baileys'
import type { Connection } from './connection.ts'
import { type Account, type Device, type Directory, userOf } from './directory.ts'
import { makeMailbox } from './mailbox.ts'
import { agreeOnCode, askRestart, greet, type Pairing, pairSuccess, readQr, type Registration } from './pairing.ts'
import { watch, type Watch } from './phone-messages.ts'
import { countSockets, type SocketCounts } from './socket-counts.ts'
import { seconds, stanza } from './stanza.ts'

export type Faults = {
  /** Every login is refused with this code (403, 405, 429, 500, 503...). */
  refuseLogins: number | undefined
  /** The same for single numbers. */
  refuseNumbers: Map<string, number>
  /** Sockets are refused with HTTP 429 before the handshake. */
  throttled: boolean
  /** Messages of these numbers are refused with this code (463: restricted account). */
  refuseSends: Map<string, string>
  /** Numbers whose devices get no answers, as when the far side fell silent. */
  stalled: Set<string>
}

export type Statistics = {
  connections: number
  handshakes: number
  peakHandshakes: number
  logins: number
  /** Clients that came to be linked. */
  registrations: number
  refusedLogins: number
  refusedSockets: number
  unheardMessages: number
  /** The build that the last client told, three numbers with dots; null before the first. */
  lastBuild: string | null
}

export type Sessions = {
  registrations: Set<Registration>
  devices: Map<Connection, Device>
  counts: SocketCounts
  statistics: Statistics
  notice: Watch['notice']
  until: Watch['until']
}

/** Makes the list of sessions, empty. */
export function openSessions(statistics: Statistics): Sessions {
  return { registrations: new Set(), devices: new Map(), counts: countSockets(), statistics, ...watch() }
}

/** Makes a device of an account; it exists for others from now on. */
function addDevice(account: Account, noiseKey: Buffer): Device {
  let onKeyed = (): void => undefined
  const keyed = new Promise<void>((resolve) => {
    onKeyed = resolve
  })
  const id = account.nextDevice++
  const device: Device = {
    account,
    id,
    noiseKey,
    keyed,
    onKeyed,
    keys: undefined,
    connection: undefined,
    mailbox: makeMailbox(),
    acknowledged: [],
    refused: [],
    presence: undefined,
    chatStates: [],
    keyIndex: account.nextKeyIndex++,
    pn: jidEncode(account.number, 's.whatsapp.net', id),
    lid: jidEncode(userOf(account.lid), 'lid', id),
  }
  return device
}

async function link(
  { counts }: Sessions,
  account: Account,
  identity: KeyPair,
  registration: Registration,
  secret: Buffer,
): Promise<string> {
  const device = addDevice(account, registration.noiseKey)
  const pairing: Pairing = { account, identity, device }
  await pairSuccess(registration, pairing, secret)
  account.devices.set(device.id, device)
  counts.scanned(account.number)
  askRestart(registration)
  return device.pn
}

/** Does the network's part of a scan. Rejects for a text that is no QR code of a device that waits now. */
export async function linkByQr(sessions: Sessions, account: Account, identity: KeyPair, qr: string): Promise<string> {
  const { reference, noiseKey, secret } = readQr(qr)
  const registration = [...sessions.registrations].find(({ references }) => references.includes(reference))
  if (!registration?.noiseKey.equals(noiseKey)) throw new Error('no device waits with this QR code')
  return await link(sessions, account, identity, registration, secret)
}

/** Does the network's part of a pairing code. */
export async function linkByCode(
  sessions: Sessions,
  account: Account,
  identity: KeyPair,
  code: string,
): Promise<string> {
  const shown = (): Registration | undefined =>
    [...sessions.registrations].findLast(({ hello }) => hello?.number === account.number)
  // A client shows its code before the network heard of it.
  const registration = await sessions.until(shown, 'a device that shows a code for this number')
  return await link(sessions, account, identity, registration, await agreeOnCode(registration, code, identity))
}

function refuse(sessions: Sessions, connection: Connection, code: number): void {
  sessions.statistics.refusedLogins += 1
  connection.send(stanza('failure', { reason: String(code), location: 'offline' }))
  connection.end()
}

/** Lets a client in: without an account it gets QR references, with one it is logged in or refused. */
export function onHello(
  sessions: Sessions,
  directory: Directory,
  faults: Faults,
  connection: Connection,
  payload: proto.ClientPayload,
  noiseKey: Buffer,
): void {
  sessions.statistics.handshakes -= 1
  const { primary, secondary, tertiary } = payload.userAgent?.appVersion ?? {}
  sessions.statistics.lastBuild = [primary, secondary, tertiary].join('.')
  if (payload.devicePairingData) {
    if (faults.refuseLogins !== undefined) return refuse(sessions, connection, faults.refuseLogins)
    sessions.statistics.registrations += 1
    sessions.registrations.add(greet(connection, payload, noiseKey))
    return
  }
  const account = directory.accounts.get(String(payload.username))
  const device = account?.devices.get(payload.device ?? 0)
  const refusal = faults.refuseLogins ?? faults.refuseNumbers.get(String(payload.username))
  if (refusal !== undefined) return refuse(sessions, connection, refusal)
  if (!account || !device?.noiseKey.equals(noiseKey)) return refuse(sessions, connection, 401)
  if (device.connection) closeWith(device.connection, 440)
  device.mailbox.close()
  device.connection = connection
  sessions.devices.set(connection, device)
  sessions.statistics.logins += 1
  sessions.counts.opened(account.number, connection.program)
  connection.send(stanza('success', { t: seconds(), lid: device.lid, display_name: account.name, location: 'offline' }))
}

/** Forgets a connection that closed. */
export function onClose(sessions: Sessions, connection: Connection): void {
  for (const registration of sessions.registrations)
    if (registration.connection === connection) sessions.registrations.delete(registration)
  const device = sessions.devices.get(connection)
  sessions.devices.delete(connection)
  if (device) sessions.counts.closed(device.account.number, connection.program)
  if (device?.connection !== connection) return
  device.connection = undefined
  device.mailbox.close()
}

const CONFLICTS: Record<number, BinaryNode> = {
  401: stanza('stream:error', { code: '401' }, [stanza('conflict', { type: 'device_removed' })]),
  411: stanza('ib', {}, [stanza('downgrade_webclient')]),
  440: stanza('stream:error', {}, [stanza('conflict', { type: 'replaced' })]),
}

/** Ends a connection so that the client sees that close code; 428 is a socket cut without a word. */
export function closeWith(connection: Connection, code: number): void {
  if (code === 428) return connection.drop()
  connection.send(CONFLICTS[code] ?? stanza('stream:error', { code: String(code) }))
  connection.end()
}

/** Removes a device from its account: it is told 401 and cannot come back. */
export function removeDevice(device: Device): void {
  device.account.devices.delete(device.id)
  if (device.connection) closeWith(device.connection, 401)
}
