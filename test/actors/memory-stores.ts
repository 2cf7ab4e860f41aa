import type { Call } from '../../src/domain/call.ts'
import { isLive } from '../../src/domain/call.ts'
import type { NewEvent } from '../../src/domain/events.ts'
import type { CallId, NodeId, NumberId } from '../../src/domain/ids.ts'
import { newId } from '../../src/domain/ids.ts'
import type { ChannelNumber } from '../../src/domain/number.ts'
import { DEFAULT_SETTINGS } from '../../src/domain/number.ts'
import type { Fence, Leases } from '../../src/ports/leases.ts'
import type { CallStore, WriteResult } from '../../src/ports/stores/call-store.ts'
import type { ConnectionPatch, NumberStore } from '../../src/ports/stores/number-store.ts'
import type { InboundStore, PendingChange } from '../../src/ports/stores/inbound-store.ts'
import type { PairingStore } from '../../src/ports/stores/pairing-store.ts'

/** Rows, events and leases in memory, with the same compare-and-set and fences as the tables. */
export class MemoryRows {
  readonly calls = new Map<CallId, Call>()
  readonly numbers = new Map<NumberId, ChannelNumber & { credentials: string | null, ackedSeq: number }>()
  readonly leases = new Map<NumberId, { owner: NodeId, token: number }>()
  readonly events: NewEvent[] = []
  /** Changes not settled yet, by number. */
  readonly changes = new Map<NumberId, PendingChange[]>()
  /** Positions in the order they were settled. */
  readonly settled: number[] = []
  position = 0
  /** Runs after changes were looked up and before they are answered. */
  whileReading: () => Promise<void> = async () => {}
  /** Names of writes, in order. */
  readonly writes: string[] = []
  consumed = 0
  /** How many of the next writes throw, as a database that is down. */
  failing = 0
  leaseFailing = false

  addNumber(patch: Partial<ChannelNumber & { credentials: string | null, ackedSeq: number }> = {}): NumberId {
    const id = newId('num')
    const now = new Date()
    this.numbers.set(id, {
      id, tenantId: newId('ten'), name: 'Desk', number: '551133334444', provider: 'UNOFFICIAL', state: 'CLOSE', isFullyConnected: false,
      isPaired: (patch.credentials ?? null) !== null, settings: DEFAULT_SETTINGS, piiMode: 'STORE_INDEFINITE', piiRetentionDays: null,
      createdAt: now, updatedAt: now, credentials: null, ackedSeq: 0, ...patch,
    })
    return id
  }

  /** Stores a change as the webhook route does. */
  addChange(numberId: NumberId, field: string, value: string): number {
    const position = ++this.position
    this.changes.set(numberId, [...this.changes.get(numberId) ?? [], { position, field, value, receivedAt: new Date() }])
    return position
  }

  eventNames(id?: string): string[] {
    return this.events.filter((event) => id === undefined || event.data.id === id).map((event) => event.event)
  }

  async write(name: string, fence: Fence, run: () => WriteResult): Promise<WriteResult> {
    await Promise.resolve()
    if (this.failing > 0) {
      this.failing--
      throw new Error('database is down')
    }
    this.writes.push(name)
    if (this.leases.get(fence.numberId)?.token !== fence.token) return 'fenced'
    return run()
  }
}

function patchCall(rows: MemoryRows, callId: CallId, patch: Partial<Call>): WriteResult {
  const row = rows.calls.get(callId)
  if (!row) return 'conflict'
  rows.calls.set(callId, { ...row, ...patch, updatedAt: new Date() })
  return 'applied'
}

export function memoryCallStore(rows: MemoryRows): CallStore {
  const all = (numberId: NumberId) => [...rows.calls.values()].filter((row) => row.numberId === numberId)
  return {
    insert: (fence, call, events) => rows.write('insert', fence, () => {
      const isKnown = all(call.numberId).some((row) => row.externalCallId !== null && row.externalCallId === call.externalCallId)
      if (isKnown || rows.calls.has(call.id)) return 'conflict'
      const now = new Date()
      rows.calls.set(call.id, {
        connectedAt: null, endedAt: null, durationSeconds: null, errorCode: null, errorMessage: null,
        playback: [], createdAt: now, updatedAt: now, ...call,
      })
      rows.events.push(...events)
      return 'applied'
    }),
    transition: (fence, move) => rows.write(`move ${move.to}`, fence, () => {
      const row = rows.calls.get(move.callId)
      if (!row || !isLive(row.status) || !move.from.includes(row.status)) return 'conflict'
      rows.events.push(...move.events)
      return patchCall(rows, move.callId, { ...move.patch, status: move.to })
    }),
    setExternalId: (fence, callId, externalCallId) => rows.write('external id', fence, () => patchCall(rows, callId, { externalCallId })),
    savePlayback: (fence, callId, playback) => rows.write('playback', fence, () => patchCall(rows, callId, { playback })),
    remove: (fence, callId) => rows.write('remove', fence, () => rows.calls.delete(callId) ? 'applied' : 'conflict'),
    find: async (numberId, id) => all(numberId).find((row) => row.id === id || row.externalCallId === id) ?? null,
    list: async (numberId) => all(numberId),
    listLive: async (numberId) => all(numberId).filter((row) => isLive(row.status)),
  }
}

const unused = (): never => {
  throw new Error('actors do not use this')
}

export function memoryNumberStore(rows: MemoryRows): NumberStore {
  return {
    create: unused, find: unused, findByDigits: unused, list: unused, patch: unused, remove: unused, usage: unused,
    load: async (numberId) => rows.numbers.get(numberId) ?? null,
    saveConnection: (fence, patch: ConnectionPatch, events) => rows.write('save', fence, () => {
      const row = rows.numbers.get(fence.numberId)
      if (!row) return 'conflict'
      const credentials = patch.credentials === undefined ? row.credentials : patch.credentials
      rows.numbers.set(fence.numberId, { ...row, ...patch, credentials, isPaired: credentials !== null })
      rows.events.push(...events)
      return 'applied'
    }),
    credentials: async (numberId) => {
      const row = rows.numbers.get(numberId)
      return { credentials: row?.credentials ?? null, ackedSeq: row?.ackedSeq ?? 0 }
    },
    listPaired: async (after, limit) => [...rows.numbers.values()]
      .filter((row) => row.isPaired && (after === null || row.id > after))
      .map((row) => row.id).toSorted().slice(0, limit),
  }
}

export function memoryPairingStore(rows: MemoryRows): PairingStore {
  return { issue: unused, find: unused, consume: async () => void rows.consumed++ }
}

export function memoryInboundStore(rows: MemoryRows): Pick<InboundStore, 'pending' | 'settle' | 'listPending'> {
  return {
    async pending(numberId, after, limit) {
      const found = (rows.changes.get(numberId) ?? []).filter(({ position }) => position > after).slice(0, limit)
      await rows.whileReading()
      return found
    },
    settle: (fence, position, events) => rows.write(`settle ${position}`, fence, () => {
      const changes = rows.changes.get(fence.numberId) ?? []
      if (!changes.some((change) => change.position === position)) return 'conflict'
      rows.changes.set(fence.numberId, changes.filter((change) => change.position !== position))
      rows.settled.push(position)
      rows.events.push(...events)
      return 'applied'
    }),
    listPending: async (limit) => [...rows.changes].filter(([, changes]) => changes.length > 0).map(([id]) => id).slice(0, limit),
  }
}

/** Leases without expiry: a number is free, mine, or another's until it is released or stolen. */
export function memoryLeases(rows: MemoryRows, nodeId: NodeId): Leases {
  return {
    nodeId,
    async acquire(numberId) {
      const held = rows.leases.get(numberId)
      if (held && held.token > 0 && held.owner !== nodeId) return null
      const token = Math.abs(held?.token ?? 0) + 1
      rows.leases.set(numberId, { owner: nodeId, token })
      return { numberId, token }
    },
    async renew() {
      if (rows.leaseFailing) throw new Error('database is down')
      return [...rows.leases].filter(([, held]) => held.owner === nodeId && held.token > 0).map(([id]) => id)
    },
    async release(fence) {
      const held = rows.leases.get(fence.numberId)
      // A free lease keeps its token as a negative number, so that the next owner's is higher.
      if (held?.token === fence.token) rows.leases.set(fence.numberId, { ...held, token: -held.token })
    },
    ownerOf: async (numberId) => rows.leases.get(numberId)?.owner ?? null,
  }
}
