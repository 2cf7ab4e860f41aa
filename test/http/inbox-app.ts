import { randomBytes } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import { RowLeases } from '../../src/cluster/lease-rows.ts'
import { newId } from '../../src/domain/ids.ts'
import { NO_CONTENT } from '../../src/domain/message.ts'
import { RowInboxFeed } from '../../src/inbox/feed.ts'
import { systemClock } from '../../src/process/clock.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { openStores, type Stores } from '../../src/storage/stores.ts'
import type { IncomingMessage } from '../../src/ports/stores/message-inbox.ts'
import { PEER } from '../contracts/message-world.ts'
import { newNumber, type Owned } from '../contracts/world.ts'
import { bearer, HOST_ORIGIN, mint } from '../helpers/embeds.ts'
import { serve, type Client, type Reply } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { silentLog } from '../helpers/silent.ts'

const PATH = '/api/public/embed'

/** The application over real rows, with a tenant of two numbers and another tenant with one. */
export interface InboxApp {
  readonly world: World
  readonly client: Client
  readonly stores: Stores
  readonly cipher: AesCipher
  readonly feed: RowInboxFeed
  /** The stores and the clock in the form in which the store suites take them. */
  readonly rows: { readonly stores: Stores; readonly clock: typeof systemClock }
  readonly one: Owned
  readonly two: Owned
  readonly foreign: Owned
  readonly tenantKey: string
  /** A token with surface chat, by default for the first number. */
  token(fields?: object, key?: string): Promise<string>
  ask(token: string, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
}

async function owned(
  database: Database,
  stores: Stores,
  tenantId: Owned['tenantId'],
  fields: Parameters<typeof newNumber>[1] = {},
): Promise<Owned> {
  const made = await stores.numbers.create(newNumber(tenantId, fields))
  if (!made.ok) throw new Error(made.error.message)
  const { number, key } = made.value
  const fence = await new RowLeases(database, newId('node')).acquire(number.id)
  if (!fence) throw new Error('the number could not be leased')
  return { tenantId, number, key, fence }
}

/** Serves the application until the test ends, by default only its routes. */
export async function openInboxApp(
  t: ExecutionContext,
  database: Database,
  served: typeof serve = serve,
): Promise<InboxApp> {
  const world = new World()
  let feed: RowInboxFeed | null = null
  const cipher = new AesCipher(randomBytes(32))
  const stores = openStores({
    database,
    cipher,
    clock: systemClock,
    onEvents: () => feed?.wake(),
    onChanged: (rows) => feed?.changed(rows),
  })
  const told = (feed = new RowInboxFeed({
    reads: stores.inboxReads,
    changes: stores.inboxChanges,
    clock: systemClock,
    log: silentLog,
  }))
  t.teardown(() => told.stop())
  const [tenant, other] = [await stores.tenants.create('Acme'), await stores.tenants.create('Other')]
  const [one, two, foreign] = [
    await owned(database, stores, tenant.tenantId),
    await owned(database, stores, tenant.tenantId),
    await owned(database, stores, other.tenantId),
  ]
  const client = await served(t, world, { ...stores, files: world.files, inboxFeed: told, clock: systemClock })
  return {
    world,
    client,
    stores,
    cipher,
    feed: told,
    rows: { stores, clock: systemClock },
    one,
    two,
    foreign,
    tenantKey: tenant.key,
    token: async (fields = {}, key = tenant.key) =>
      (await mint(client, world, { channelNumberIds: [one.number.id], ...fields }, key)).token,
    ask: (token, method, path, body, headers = {}) =>
      client.send(method, PATH + path, {
        headers: { ...bearer(token, HOST_ORIGIN).headers, ...headers },
        ...(body === undefined ? {} : { body }),
      }),
  }
}

let last = 0

/** Stores a message that a number has just received. */
export async function receivedBy(
  { stores }: Pick<InboxApp, 'stores'>,
  { number, fence }: Owned,
  fields: Partial<IncomingMessage> = {},
  text = 'hi there',
): Promise<IncomingMessage> {
  const message: IncomingMessage = {
    id: newId('msg'),
    externalMessageId: `in.${++last}`,
    peer: PEER,
    conversationType: 'DIRECT',
    peerName: 'Ann',
    isFromMe: false,
    from: PEER,
    fromName: 'Ann',
    to: number.number,
    type: 'text',
    content: { ...NO_CONTENT, text },
    quotedMessageId: null,
    flowReply: null,
    referral: null,
    happenedAt: new Date(),
    isUnread: true,
    events: [],
    replyEvent: null,
    ...fields,
  }
  await stores.inbox.receive(fence, message)
  return message
}
