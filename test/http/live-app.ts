import { randomBytes } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import { callEvent } from '../../actors/call/event-data.ts'
import { RowLeases } from '../../src/cluster/lease-rows.ts'
import type { CallStatus } from '../../src/domain/call.ts'
import type { EventName } from '../../src/domain/events.ts'
import { newId } from '../../src/domain/ids.ts'
import { RowTenantFeed } from '../../src/live/feed.ts'
import { systemClock } from '../../src/process/clock.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { openStores, type Stores } from '../../src/storage/stores.ts'
import type { NewCall } from '../../src/ports/stores/call-store.ts'
import { newCall, newNumber, type Owned } from '../contracts/world.ts'
import { EventReader } from '../helpers/event-reader.ts'
import { serve, type Client } from '../helpers/http-app.ts'
import { silentLog } from '../helpers/silent.ts'
import { World } from '../helpers/world.ts'

/** A node over real rows. */
export interface LiveNode {
  readonly client: Client
  readonly stores: Stores
  readonly feed: RowTenantFeed
}

/** A node whose account has two numbers, and the number of another account. */
export interface LiveApp extends LiveNode {
  readonly database: Database
  readonly one: Owned
  readonly two: Owned
  readonly foreign: Owned
  readonly tenantKey: { readonly raw: string }
}

async function owned(database: Database, stores: Stores, tenantId: Owned['tenantId']): Promise<Owned> {
  const made = await stores.numbers.create(newNumber(tenantId))
  if (!made.ok) throw new Error(made.error.message)
  const { number, key } = made.value
  const fence = await new RowLeases(database, newId('node')).acquire(number.id)
  if (!fence) throw new Error('the number could not be leased')
  return { tenantId, number, key, fence }
}

/** Serves a node over the rows until the test ends. It hears of nothing that others do but by looking. */
export async function openLiveNode(t: ExecutionContext, database: Database): Promise<LiveNode> {
  const world = new World()
  let feed: RowTenantFeed | null = null
  const stores = openStores({
    database,
    cipher: new AesCipher(randomBytes(32)),
    clock: systemClock,
    onEvents: () => feed?.wake(),
    onMoved: {
      call: (move) => feed?.callMoved(move),
      number: (id) => feed?.numberMoved(id),
      conversation: (move) => feed?.conversationMoved(move),
    },
  })
  const told = (feed = new RowTenantFeed({ reads: stores.tenantFeedReads, clock: systemClock, log: silentLog }))
  t.teardown(() => told.stop())
  const client = await serve(t, world, { ...stores, files: world.files, tenantFeed: told, clock: systemClock })
  return { client, stores, feed: told }
}

export async function openLiveApp(t: ExecutionContext, database: Database): Promise<LiveApp> {
  const node = await openLiveNode(t, database)
  const { stores } = node
  const [tenant, other] = [await stores.tenants.create('Acme'), await stores.tenants.create('Other')]
  return {
    ...node,
    database,
    one: await owned(database, stores, tenant.tenantId),
    two: await owned(database, stores, tenant.tenantId),
    foreign: await owned(database, stores, other.tenantId),
    tenantKey: { raw: tenant.key },
  }
}

/** Reads the stream of an account, once it has said where it begins. */
export async function listen(
  t: ExecutionContext,
  { client }: Pick<LiveNode, 'client'>,
  { cookie }: { readonly cookie: string },
  lastId: string = '',
): Promise<EventReader> {
  const headers = { cookie, ...(lastId === '' ? {} : { 'last-event-id': lastId }) }
  const reader = await EventReader.open(t, `${client.url}/api/stream`, headers)
  await reader.next('hello')
  return reader
}

/** A call as its actor stores it, step by step. */
export class StoredCall {
  readonly call: NewCall & { readonly startedAt: Date }
  readonly #stores: Stores
  readonly #owned: Owned
  #status: CallStatus = 'INITIATED'

  constructor({ stores }: Pick<LiveNode, 'stores'>, number: Owned, fields: Partial<NewCall> = {}) {
    this.#stores = stores
    this.#owned = number
    this.call = { ...newCall(number, fields), startedAt: new Date() }
  }

  /** The row is stored, and the provider takes the call. */
  async place(): Promise<this> {
    await this.#stores.calls.insert(this.#owned.fence, this.call, [])
    await this.#stores.calls.setExternalId(this.#owned.fence, this.call.id, `up.${this.call.id}`, null)
    return this
  }

  async move(to: CallStatus, event: EventName | null = null): Promise<void> {
    const at = new Date()
    const isOver = to !== 'RINGING' && to !== 'ACCEPTED'
    const moment = {
      status: to,
      media: null,
      externalCallId: `up.${this.call.id}`,
      connectedAt: to === 'ACCEPTED' || to === 'COMPLETED' ? at : null,
      endedAt: isOver ? at : null,
      durationSeconds: to === 'COMPLETED' ? 0 : null,
      errorCode: null,
      errorMessage: null,
    }
    const { status: _, externalCallId: __, ...patch } = moment
    const facts = { ...this.call, createdAt: at }
    const result = await this.#stores.calls.transition(this.#owned.fence, {
      callId: this.call.id,
      from: [this.#status as 'INITIATED'],
      to,
      patch,
      events: event === null ? [] : [callEvent(event, facts as never, moment, at.getTime())],
    })
    if (result !== 'applied') throw new Error(`the move to ${to} is ${result}`)
    this.#status = to
  }
}
