import type { NodeId, NumberId } from '../src/domain/ids.ts'
import { newId } from '../src/domain/ids.ts'
import { leaseTimesOf } from '../src/domain/lease-times.ts'
import { LEASE_TTL_MS } from '../src/domain/limits.ts'
import type { NewMessage } from '../src/ports/stores/message-store.ts'
import { MemoryCalls } from '../test/helpers/memory/calls.ts'
import { MemoryErrands } from '../test/helpers/memory/errands.ts'
import { MemoryInbound } from '../test/helpers/memory/changes.ts'
import { memoryLeases } from '../test/helpers/memory/leases.ts'
import { MemoryMessages } from '../test/helpers/memory/messages.ts'
import { MemoryNumbers } from '../test/helpers/memory/numbers.ts'
import { MemoryPairings } from '../test/helpers/memory/pairings.ts'
import { memoryPlacement } from '../test/helpers/memory/placement.ts'
import { MemoryReach } from '../test/helpers/memory/reach.ts'
import { MemoryRows } from '../test/helpers/memory/rows.ts'
import { MemorySetAside } from '../test/helpers/memory/set-aside.ts'
import { BEGINNING_MS, type Machine } from './machine.ts'

/** The lease times of a cluster on its own database. */
export const TIMES = leaseTimesOf(LEASE_TTL_MS)

/**
 * The database of a simulation: the rows in memory that pass the contracts of the stores. PGlite holds the real
 * statements, but its `clock_timestamp()` is the clock of the machine and a start takes a second, so no seed would give
 * the same run twice.
 */
export class Database {
  readonly machine: Machine
  readonly rows = new MemoryRows()
  readonly messages: MemoryMessages
  /** What was answered under an idempotency key. */
  readonly #answered = new Map<string, NewMessage['id']>()
  readonly #errands: MemoryErrands
  readonly #inbox

  constructor(machine: Machine) {
    this.machine = machine
    this.messages = new MemoryMessages(this.rows, machine)
    this.#errands = new MemoryErrands(this.rows, machine)
    this.#inbox = this.messages.inbox()
  }

  /** A paired number of a tenant of its own. */
  addNumber(digits: string): NumberId {
    const at = new Date(BEGINNING_MS)
    return this.rows.addNumber({ number: digits, credentials: 'paired', createdAt: at, updatedAt: at })
  }

  /** Stores a message that a client sends, once for each key: what POST /v1/messages/send commits. */
  accept(key: string, make: () => NewMessage): NewMessage['id'] {
    const known = this.#answered.get(key)
    if (known !== undefined) return known
    const message = make()
    this.messages.accept(message)
    this.#answered.set(key, message.id)
    return message.id
  }

  /** The stores and rows as the process `boot` of a node uses them. */
  portsOf(nodeId: NodeId, boot: string) {
    const { rows, messages, machine } = this
    const times = { ttlMs: TIMES.ttlMs, graceMs: TIMES.graceMs, nowMs: () => machine.monotonicMs() }
    const leases = memoryLeases(rows, nodeId, times, boot)
    return {
      leases,
      placement: memoryPlacement(rows, leases, boot, times),
      numbers: new MemoryNumbers(rows, machine),
      calls: new MemoryCalls(rows, machine),
      pairing: new MemoryPairings(rows, machine),
      sendQueue: messages.sendQueue(),
      messageInbox: this.#inbox,
      setAside: new MemorySetAside(rows, machine, this.#errands),
      reach: new MemoryReach(messages, machine),
      inbound: new MemoryInbound(rows, machine),
      errands: this.#errands,
    }
  }
}

/** A message to a person as POST /v1/messages/send stores it. */
export function textOf(numberId: NumberId, address: string, text: string, nowMs: number): NewMessage {
  return {
    id: newId('msg'),
    numberId,
    to: { type: 'DIRECT', address },
    outgoing: { mode: 'text', text, buttons: [], header: null, footer: null },
    quotedMessageId: null,
    deliverAt: null,
    deliverUntil: null,
    createdAt: new Date(nowMs),
    correlationId: text,
  } as unknown as NewMessage
}
