import type { User } from '../../../src/domain/user.ts'
import type { Branding } from '../../../src/domain/branding.ts'
import type { Call } from '../../../src/domain/call.ts'
import type { EmbedSession } from '../../../src/domain/embed-session.ts'
import type { StoredEvent } from '../../../src/domain/events.ts'
import {
  newId,
  type CallId,
  type KeyId,
  type NodeId,
  type NumberId,
  type TenantId,
  type UserId,
} from '../../../src/domain/ids.ts'
import type { VoiceWithHeaders } from '../../../src/domain/number-voice.ts'
import { DEFAULT_SETTINGS, type ChannelNumber } from '../../../src/domain/number.ts'
import type { Webhook, WebhookId } from '../../../src/domain/webhook.ts'
import { storableText } from '../../../src/domain/storable.ts'
import { StoreAway } from '../../../src/domain/store-away.ts'
import type { Fence } from '../../../src/ports/leases.ts'
import type { OfficialCredentials } from '../../../src/ports/official/credentials.ts'
import type { StoredLogo } from '../../../src/ports/stores/branding-store.ts'
import type { WriteResult } from '../../../src/ports/stores/call-store.ts'
import type { PendingChange } from '../../../src/ports/stores/inbound-store.ts'
import type { IssuedKey } from '../../../src/ports/stores/key-store.ts'
import type { FoundLink } from '../../../src/ports/stores/pairing-store.ts'

export interface MemoryTenant {
  readonly name?: string
  readonly maxNumbers?: number
  readonly requestsPerMinute?: number
}

/** The fields of a number that only its owner sees. */
export interface MemoryConnection {
  readonly credentials: string | null
  readonly ackedSeq: number
}

export interface MemoryOfficialSecrets {
  readonly credentials: OfficialCredentials
  readonly verifyToken: string
}

/** A session with the fields that are never shown. */
export interface MemoryEmbedSession extends EmbedSession {
  readonly keyId: KeyId | null
  readonly revokedAt: Date | null
}

/** A user with the fields that are never shown. */
export interface MemoryUser {
  readonly tenantId: TenantId
  readonly user: User
  readonly passwordHash: string | null
  readonly sessionsVersion: number
  readonly invitation: { readonly token: string; readonly expiresAt: Date } | null
}

/** A lease; a free one keeps its token as a negative number, so that the next owner's is higher. */
export interface MemoryLease {
  readonly owner: NodeId
  readonly token: number
  /** When the lease expires; never when absent. */
  readonly untilMs?: number
  /** Whether the lease was handed over. */
  readonly isWanted?: boolean
}

/** A node; it is dead when a test says so, or when its time is over. */
export interface MemoryNode {
  readonly boot: string
  readonly state: 'alive' | 'leaving' | 'dead'
  /** When it is over unless it is renewed; never when absent. */
  readonly untilMs?: number
}

/** Text in the form that the tables store. */
export function storable<T extends object>(row: T): T {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? storableText(value) : value,
    ]),
  ) as T
}

/** The tables in memory; the stores over them keep the contracts of the real ones. */
export class MemoryRows {
  readonly tenants = new Map<TenantId, MemoryTenant>()
  readonly numbers = new Map<NumberId, ChannelNumber>()
  readonly connections = new Map<NumberId, MemoryConnection>()
  readonly voices = new Map<NumberId, VoiceWithHeaders | null>()
  readonly official = new Map<NumberId, MemoryOfficialSecrets>()
  /** Oldest first. */
  readonly users = new Map<UserId, MemoryUser>()
  /** Keys by the raw key. */
  readonly keys = new Map<string, IssuedKey>()
  readonly calls = new Map<CallId, Call>()
  /** Links by token. */
  readonly links = new Map<string, FoundLink & { readonly overAt: Date }>()
  /** Oldest first, by id. */
  readonly embedSessions = new Map<string, MemoryEmbedSession>()
  readonly brands = new Map<TenantId, Branding>()
  /** Logos by key. */
  readonly logos = new Map<string, { readonly logo: StoredLogo; readonly referencedMs: number }>()
  readonly webhooks = new Map<WebhookId, Webhook>()
  readonly leases = new Map<NumberId, MemoryLease>()
  readonly nodes = new Map<NodeId, MemoryNode>()
  /** Oldest first. */
  readonly stored: StoredEvent[] = []
  /** What numbers used, by number and metric (src/domain/usage.ts). */
  readonly used = new Map<string, number>()
  /** Changes not settled yet, by number. */
  readonly changes = new Map<NumberId, PendingChange[]>()
  /** Positions of settled changes, in the order in which they were settled. */
  readonly settled: number[] = []
  position = 0
  /** Told of a number that is about to be removed. */
  readonly leaving: ((numberId: NumberId) => void)[] = []
  /** Told of each event as it is stored. */
  readonly telling: ((event: StoredEvent) => void)[] = []
  /** Runs after changes were looked up and before they are returned. */
  whileReading: () => Promise<void> = async () => {}
  /** Names of writes, in order. */
  readonly writes: string[] = []
  consumed = 0
  /** How many of the next writes throw, like a database that is down. */
  failing = 0
  leaseFailing = false

  /** Told events, oldest first. */
  get events(): Pick<StoredEvent, 'event' | 'data'>[] {
    return this.stored.map(({ event, data }) => ({ event, data }))
  }

  addNumber({ credentials = null, ackedSeq = 0, ...patch }: Partial<ChannelNumber & MemoryConnection> = {}): NumberId {
    const id = patch.id ?? newId('num')
    const now = new Date()
    this.numbers.set(id, {
      id,
      tenantId: newId('ten'),
      name: 'Desk',
      number: '551133334444',
      provider: 'UNOFFICIAL',
      state: 'CLOSE',
      isFullyConnected: false,
      isPaired: credentials !== null,
      pairingReason: null,
      settings: DEFAULT_SETTINGS,
      piiMode: 'STORE_INDEFINITE',
      piiRetentionDays: null,
      createdAt: now,
      updatedAt: now,
      ...patch,
    })
    this.connections.set(id, { credentials, ackedSeq })
    return id
  }

  /** Stores a change as the webhook route does. */
  addChange(numberId: NumberId, field: string, value: string, receivedAt: Date = new Date()): number {
    const position = ++this.position
    this.changes.set(numberId, [...(this.changes.get(numberId) ?? []), { position, field, value, receivedAt }])
    return position
  }

  connectionOf(numberId: NumberId): MemoryConnection {
    return this.connections.get(numberId) ?? { credentials: null, ackedSeq: 0 }
  }

  /** Counts what a number used, within the write that stores it. */
  use(numberId: NumberId, metric: string): void {
    const key = `${numberId} ${metric}`
    this.used.set(key, (this.used.get(key) ?? 0) + 1)
  }

  eventNames(id?: string): string[] {
    return this.stored.filter((event) => id === undefined || event.data.id === id).map((event) => event.event)
  }

  /** Stores events of an existing number. */
  tell(
    numberId: NumberId,
    events: readonly Pick<StoredEvent, 'event' | 'data' | 'upstreamBody'>[],
    nowMs: number,
  ): void {
    const tenantId = this.numbers.get(numberId)?.tenantId
    if (!tenantId) return
    for (const event of events) {
      const stored = { ...event, id: newId('evt'), tenantId, numberId, createdAt: new Date(nowMs) }
      this.stored.push(stored)
      for (const tell of this.telling) tell(stored)
    }
  }

  /** A write of an owner. Its result comes in a later turn, and nothing is written without the lease. */
  async write(name: string, fence: Fence, run: () => WriteResult): Promise<WriteResult> {
    await Promise.resolve()
    if (this.failing > 0) {
      this.failing--
      throw new StoreAway('gone')
    }
    this.writes.push(name)
    if (this.leases.get(fence.numberId)?.token !== fence.token) return 'fenced'
    return run()
  }

  /** Removes a number with everything that belongs to it. */
  removeNumber(numberId: NumberId): void {
    this.numbers.delete(numberId)
    for (const rows of [this.connections, this.leases, this.changes, this.official]) rows.delete(numberId)
    deleteWhere<string, IssuedKey>(this.keys, (key) => key.numberId === numberId)
    deleteWhere<CallId, Call>(this.calls, (call) => call.numberId === numberId)
    deleteWhere<string, FoundLink & { readonly overAt: Date }>(this.links, (link) => link.numberId === numberId)
    deleteWhere<WebhookId, Webhook>(this.webhooks, (webhook) => webhook.numberId === numberId)
  }
}

function deleteWhere<K, V>(rows: Map<K, V>, isGone: (row: V) => boolean): void {
  for (const [id, row] of rows) if (isGone(row)) rows.delete(id)
}
