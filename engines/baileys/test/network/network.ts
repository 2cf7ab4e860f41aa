/**
 * The chat network, offline: a server that speaks its handshake and stanzas, with scripted phones. For tests of the
 * engine only.
 *
 *   const network = await openNetwork()
 *   network.trust()                                  // a client in this process trusts it; others: rootKey and caFile
 *   const ana = network.phone('5511999990001', 'Ana')
 *   await ana.scan(qrText)                           // qrText from the engine; links it to Ana's account
 *   const bia = network.phone('5511999990002')
 *   await bia.text('5511999990001', 'hello')         // reaches the engine, encrypted end to end
 *   await ana.find((message) => message.fromMe)      // what the engine wrote, as Ana's own phone shows it
 *   network.close()
 *
 * Sessions live in this server's memory: a client may be killed and come back. A stanza is repeated on each login until
 * it was acknowledged (messages by a receipt). What it proves is the client against these stanzas, not the live
 * service.
 */
import { WA_CERT_DETAILS } from 'baileys'
import { UNREGISTERED_ENDING } from './account-queries.ts'
import { processAuthority } from './certificates.ts'
import { type Account, type Device, openDirectory, userOf } from './directory.ts'
import type { Group } from './group.ts'
import { type Groups, openGroups } from './groups.ts'
import { type MediaHost, openMediaHost } from './media-host.ts'
import { type Newsletter, type Newsletters, openNewsletters } from './newsletters.ts'
import { type Linking, makePhone, type Phone } from './phone.ts'
import type { World } from './phone-state.ts'
import type { QueryPorts } from './queries.ts'
import type { RelayPorts } from './relay.ts'
import { type Parts, serveSockets } from './server.ts'
import {
  closeWith,
  type Faults,
  linkByCode,
  linkByQr,
  openSessions,
  removeDevice,
  type Sessions,
  type Statistics,
} from './sessions.ts'
import type { SocketCount } from './socket-counts.ts'

export type Network = {
  /** The address for ENGINE_SOCKET_URL or the library's `waWebSocketUrl`. */
  socketUrl: string
  /**
   * The root key clients must trust (32 bytes, hex): WA_CERT_DETAILS.PUBLIC_KEY, NETWORK_ROOT_KEY of the engine's test
   * entry.
   */
  rootKey: string
  /** The media host's certificate, for NODE_EXTRA_CA_CERTS of another process. */
  caFile: string
  /** Makes clients of this process trust the network and its media host. */
  trust(): void
  /** Gives the phone of a number; made on first use. */
  phone(number: string, name?: string): Phone
  media: MediaHost
  groups: Groups
  newsletters: Newsletters
  /** Makes a group; with `hidden` its members see hidden identifiers. Linked devices of members are told. */
  createGroup(owner: Phone, subject: string, members: Phone[], options?: { hidden?: boolean; id?: string }): Group
  createNewsletter(owner: Phone, name: string, description?: string): Newsletter
  /** The linked devices of a number, oldest first: mailbox, acknowledged ids, presence. */
  devices(number: string): Device[]
  /** What clients did in the name of each number that was ever linked. */
  sockets: ReadonlyMap<string, SocketCount>
  /** Cuts the sockets of a number, or of all. */
  drop(number?: string): void
  /** Whether a client shows a code to type for this number. */
  isTypedAwaited(number: string): boolean
  /** Cuts the sockets of clients that are linked to nobody yet and show a code to type for this number. */
  dropUnlinked(number: string): void
  /**
   * Ends the sockets of a number (or of all) with a close code of the library: 401, 403, 408, 411, 428, 429, 440, 500,
   * 503, 515.
   */
  closeWith(code: number, number?: string): void
  faults: Faults
  statistics: Statistics
  /** Resolves when `look` returns something; it is called at each stanza and each closed socket. */
  until: Sessions['until']
  close(): Promise<void>
}

type Identity = Phone['state']['cipher']['identity']

function makeWorld(sessions: Sessions, media: MediaHost) {
  const directory = openDirectory()
  const phones = new Map<string, Phone>()
  const known = (number: string): Account | undefined =>
    number.endsWith(UNREGISTERED_ENDING) ? undefined : phone(number).account
  const groups = openGroups(
    directory,
    (jid) => directory.find(jid) ?? (jid.endsWith('@lid') ? undefined : known(userOf(jid))),
  )
  const world: World = {
    directory,
    known,
    media: media.store,
    members: (id) => [...(groups.all.get(id)?.members.keys() ?? [])],
    isHidden: (id) => groups.all.get(id)?.hidden ?? false,
  }
  const linking: Linking = {
    scan: (account: Account, identity: Identity, qr: string) => linkByQr(sessions, account, identity, qr),
    enterCode: (account: Account, identity: Identity, code: string) => linkByCode(sessions, account, identity, code),
    unlink: (account: Account) => [...account.devices.values()].forEach(removeDevice),
  }
  function phone(number: string, name = `Person ${number.slice(-4)}`): Phone {
    const found = phones.get(number) ?? makePhone(world, linking, number, name)
    phones.set(number, found)
    return found
  }
  return { world, groups, newsletters: openNewsletters(), phone, phones }
}

function portsOf(
  { world, groups, newsletters }: ReturnType<typeof makeWorld>,
  media: MediaHost,
  faults: Faults,
): Pick<Parts, 'queries' | 'relay'> {
  const { directory, known, members, isHidden } = world
  const queries: QueryPorts = {
    directory,
    known,
    mediaHost: () => media.host,
    groups: groups.answer,
    newsletters: newsletters.answer,
    onRemove: removeDevice,
    onActive: (device) => device.connection && device.mailbox.open(device.connection),
  }
  const relay: RelayPorts = {
    directory,
    members,
    isHidden,
    onPost: newsletters.onPost,
    refusal: (number) => faults.refuseSends.get(number),
  }
  return { queries, relay }
}

/** Starts the network on free loopback ports. */
export async function openNetwork(): Promise<Network> {
  const faults: Faults = {
    refuseLogins: undefined,
    refuseNumbers: new Map(),
    throttled: false,
    refuseSends: new Map(),
    stalled: new Set(),
  }
  const statistics: Statistics = {
    connections: 0,
    handshakes: 0,
    peakHandshakes: 0,
    logins: 0,
    registrations: 0,
    refusedLogins: 0,
    refusedSockets: 0,
    unheardMessages: 0,
    lastBuild: null,
  }
  const sessions = openSessions(statistics)
  const media = await openMediaHost()
  const made = makeWorld(sessions, media)
  const { groups, newsletters, phone, world } = made
  const server = await serveSockets({ directory: world.directory, sessions, faults, ...portsOf(made, media, faults) })
  const connected = (number?: string): Device[] =>
    [...sessions.devices.values()].filter(({ account }) => number === undefined || account.number === number)
  return {
    socketUrl: server.url,
    rootKey: processAuthority().rootKey.toString('hex'),
    caFile: media.caFile,
    trust: () => {
      WA_CERT_DETAILS.PUBLIC_KEY = processAuthority().rootKey
      media.trust()
    },
    phone,
    media,
    faults,
    statistics,
    groups,
    newsletters,
    until: sessions.until,
    createGroup: (owner, subject, members, options) =>
      groups.create(
        owner.account,
        subject,
        members.map(({ account }) => account),
        options,
      ),
    createNewsletter: (owner, name, description) => newsletters.create(owner.account, name, description),
    devices: (number) => [...(world.directory.accounts.get(number)?.devices.values() ?? [])],
    sockets: sessions.counts.all,
    drop: (number) => connected(number).forEach(({ connection }) => connection?.drop()),
    isTypedAwaited: (number) => [...sessions.registrations].some(({ hello }) => hello?.number === number),
    dropUnlinked: (number) =>
      [...sessions.registrations].forEach(({ hello, connection }) => hello?.number === number && connection.drop()),
    closeWith: (code, number) =>
      connected(number).forEach(({ connection }) => connection && closeWith(connection, code)),
    close: async () => {
      await Promise.all([server.close(), media.close()])
    },
  }
}
