/** A plain client of the library for the network's own tests; what it keeps outlives its sockets, as a store does. */
import {
  type AuthenticationCreds,
  type BaileysEventMap,
  initAuthCreds,
  makeWASocket as connect,
  type UserFacingSocketConfig,
  type WAMessage,
  type WASocket,
} from 'baileys'
import { memoryKeys } from './memory-keys.ts'
import { silent } from './silent-logger.ts'
import { PATIENCE_MS, watch } from './phone-messages.ts'

export type Client = {
  creds: AuthenticationCreds
  sock: WASocket
  messages: WAMessage[]
  /** All events of the kinds tests ask for, in order. */
  events: { name: keyof BaileysEventMap; value: unknown }[]
  /** Opens a new socket with the same credentials. */
  connect(): WASocket
  /** Resolves with the next QR text. */
  qr(): Promise<string>
  /** Resolves once the socket is open and the offline part is over. */
  open(): Promise<void>
  /** Resolves with the close code of the socket. */
  closed(): Promise<number>
  find(fits: (message: WAMessage) => boolean): Promise<WAMessage>
  event<K extends keyof BaileysEventMap>(
    name: K,
    fits?: (value: BaileysEventMap[K]) => boolean,
  ): Promise<BaileysEventMap[K]>
  end(): void
}

type Life = { qr?: string; open: boolean; flushed: boolean; code?: number }

/** Opens a client on the network; history is not waited for. */
export function openClient(socketUrl: string, config: Partial<UserFacingSocketConfig> = {}): Client {
  const creds = initAuthCreds()
  const keys = memoryKeys()
  const { notice, until } = watch()
  let life: Life = { open: false, flushed: false }
  const client: Client = {
    creds,
    messages: [],
    events: [],
    sock: undefined as unknown as WASocket,
    connect: () => {
      const now: Life = { open: false, flushed: false }
      life = now
      const sock = connect({
        waWebSocketUrl: socketUrl,
        auth: { creds, keys },
        logger: silent,
        markOnlineOnConnect: false,
        shouldSyncHistoryMessage: () => false,
        connectTimeoutMs: PATIENCE_MS,
        ...config,
      })
      sock.ev.process((events) => {
        for (const [name, value] of Object.entries(events))
          client.events.push({ name: name as keyof BaileysEventMap, value })
        if (events['creds.update']) Object.assign(creds, events['creds.update'])
        const update = events['connection.update']
        if (update?.qr) now.qr = update.qr
        if (update?.connection === 'open') now.open = true
        if (update?.receivedPendingNotifications) now.flushed = true
        if (update?.connection === 'close')
          now.code =
            (update.lastDisconnect?.error as { output?: { statusCode?: number } } | undefined)?.output?.statusCode ?? 0
        client.messages.push(...(events['messages.upsert']?.messages ?? []))
        notice()
      })
      client.sock = sock
      return sock
    },
    qr: () => until(() => life.qr, 'a QR code'),
    open: async () => void (await until(() => (life.open && life.flushed) || undefined, 'an open connection')),
    closed: () => until(() => life.code, 'a closed connection'),
    find: (fits) => until(() => client.messages.find(fits), 'a message at the client'),
    event: (name, fits = () => true) =>
      until(
        () => client.events.find((one) => one.name === name && fits(one.value as never))?.value as never,
        `the event ${name}`,
      ),
    end: () => void client.sock.end(undefined),
  }
  client.connect()
  return client
}

/** Pairs a client with a phone by QR code and connects it. */
export async function pairedClient(
  network: { socketUrl: string; phone(number: string): { scan(qr: string): Promise<string> } },
  number: string,
  config?: Partial<UserFacingSocketConfig>,
): Promise<Client> {
  const client = openClient(network.socketUrl, config)
  await network.phone(number).scan(await client.qr())
  await client.closed()
  client.connect()
  await client.open()
  return client
}
