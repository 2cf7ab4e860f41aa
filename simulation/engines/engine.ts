import { HeldElsewhere, type Hold, type Holds } from '../../engines/baileys/store/hold.ts'
import { leasedHolds } from '../../engines/baileys/store/leased-holds.ts'
import type { NodeId, NumberId } from '../../src/domain/ids.ts'
import { memoryLeases } from '../../test/helpers/memory/leases.ts'
import { silentLog } from '../../test/helpers/silent.ts'
import { untilDone } from '../again.ts'
import { TIMES, type Database } from '../database.ts'
import type { Journal } from '../journal.ts'
import type { Machine } from '../machine.ts'
import { overNetwork, type Carried, type Network } from '../network.ts'
import type { Socket, Told, Upstream } from '../upstream.ts'

interface Surroundings {
  readonly network: Network
  readonly database: Database
  readonly upstream: Upstream
  readonly journal: Journal
}

/** A line looks after its socket each so many ms. */
const LOOK_MS = 2_000

/** A session of a gateway, as an engine knows it. */
export interface Caller {
  readonly numberId: NumberId
  readonly isClosed: boolean
  hear(told: Told, connection: Connection): void
  /** The engine ends the connection. */
  cut(): void
}

/** How an engine answers a gateway that asks for a number. */
export type Attached = Connection | { readonly heldBy: string | null }

/** A connection of a gateway's session to an engine. */
export interface Connection {
  readonly line: Line
  readonly session: Caller
}

/**
 * A device engine, as far as it owns numbers: by leases of its own, over the code of the product, it has each number's
 * one socket to the network. What it would store of events stays with upstream until a gateway settled it.
 */
export class Engine {
  readonly machine: Machine
  /** New with each start. */
  readonly id: string
  readonly around: Surroundings
  readonly lines = new Map<NumberId, Line>()
  readonly #holds: Holds
  #isDraining = false

  constructor(around: Surroundings, machine: Machine, id: string) {
    this.around = around
    this.machine = machine
    this.id = id
    const { network, database, journal } = around
    const note = (what: string) => journal.note(machine.name, what)
    const own = memoryLeases(database.engineRows, id as NodeId, {
      ...TIMES,
      nowMs: () => database.machine.monotonicMs(),
    })
    const { leases } = overNetwork({ leases: own }, { network, from: machine, to: database.machine, note })
    this.#holds = leasedHolds({ leases, clock: machine, log: silentLog })
  }

  /** Gives the line of a number to a gateway's session, and takes the number first. */
  async attach(session: Caller): Promise<Attached> {
    const { numberId } = session
    if (this.#isDraining) return { heldBy: null }
    try {
      const known = this.lines.get(numberId)
      const line = known ?? this.#open(numberId, await this.#holds.take(numberId))
      return line.attach(session)
    } catch (error) {
      if (error instanceof HeldElsewhere) return { heldBy: error.engineId }
      throw error
    }
  }

  /** The line of a number that was taken; several gateways may have asked at once. */
  #open(numberId: NumberId, hold: Hold): Line {
    const known = this.lines.get(numberId)
    if (known && !known.isOver) return known
    const line = new Line(this, numberId, hold)
    this.lines.set(numberId, line)
    line.keep()
    return line
  }

  /** Stops as SIGTERM has it: each number is free before its gateway is told to look elsewhere. */
  async stop(): Promise<void> {
    this.#isDraining = true
    await Promise.all([...this.lines.values()].map((line) => line.handOver()))
    await this.#holds.close()
    this.machine.kill()
  }
}

/** A number that an engine holds, with its socket to the network and the gateway that it is attached to. */
export class Line implements Socket {
  readonly engine: Engine
  readonly numberId: NumberId
  readonly hold: Hold
  isOver = false
  /** Null while no gateway is connected. */
  #connection: Connection | null = null
  /** The last connection that asked for all that waits. */
  #started: Connection | null = null
  /** The connection that hears what the network tells: the present one, from what it asked for on. */
  #hearing: Connection | null = null

  constructor(engine: Engine, numberId: NumberId, hold: Hold) {
    this.engine = engine
    this.numberId = numberId
    this.hold = hold
    hold.over.addEventListener('abort', () => this.#end())
  }

  /** Whether a gateway is connected to it. */
  get isServed(): boolean {
    return this.#connection?.session.isClosed === false && !this.isOver
  }

  isOf(connection: Connection): boolean {
    return this.#connection === connection && !this.isOver
  }

  attach(session: Caller): Connection {
    const older = this.#connection?.session
    if (older !== session) older?.cut()
    this.#connection = { line: this, session }
    return this.#connection
  }

  detach(connection: Connection): void {
    if (this.#connection === connection) this.#connection = null
  }

  /** Opens the socket to the network, and again whenever it is gone. */
  keep(): void {
    if (this.isOver) return
    const { network, upstream } = this.engine.around
    if (this.hold.isSure())
      network.send(this.engine.machine, upstream.deps.machine, () => this.isOver || upstream.connect(this))
    this.engine.machine.after(LOOK_MS, () => this.keep())
  }

  /** Asks the network, as nothing leaves to it while the number may be another one's. */
  async ask<T>(run: (upstream: Upstream) => T): Promise<Carried<T | null>> {
    const { network, upstream } = this.engine.around
    const isOver = await this.hold.sure().then(
      () => false,
      () => true,
    )
    if (isOver) return { kind: 'unheard' }
    return network.ask(this.engine.machine, upstream.deps.machine, () =>
      upstream.device(this.numberId).socket === this ? run(upstream) : null,
    )
  }

  /** What the network tells goes to the gateway. */
  hear(told: Told): void {
    this.#streamed(() => {
      const hearing = this.#connection
      if (hearing && hearing === this.#hearing) hearing.session.hear(told, hearing)
    })
  }

  /** From here on a connection hears what the network tells, beginning with all that waits. */
  tellAll(connection: Connection): Promise<Carried<true | null>> {
    this.#started = connection
    return this.ask((upstream) => upstream.tellAll(this.numberId))
  }

  /** All that waits follows. */
  begin(): void {
    this.#streamed(() => (this.#hearing = this.#started))
  }

  /** What the network sends, in its order. */
  #streamed(heard: () => void): void {
    const { network, upstream } = this.engine.around
    network.stream(upstream.deps.machine, this.engine.machine, this, heard, () => upstream.hungUp(this))
  }

  replaced(): void {
    if (!this.isOver) this.hold.end('the network ended its socket')
  }

  async handOver(): Promise<void> {
    const connection = this.#connection
    this.#connection = null
    await untilDone(this.engine.machine, async () => {
      const closed = await this.#close()
      if (closed.kind !== 'answered') throw new Error(closed.kind)
    })
    await this.hold.release()
    connection?.session.cut()
  }

  #end(): void {
    this.isOver = true
    if (this.engine.lines.get(this.numberId) === this) this.engine.lines.delete(this.numberId)
    this.#connection?.session.cut()
    void this.#close()
  }

  #close(): Promise<Carried<void>> {
    const { network, upstream } = this.engine.around
    return network.ask(this.engine.machine, upstream.deps.machine, () => upstream.hungUp(this))
  }
}
