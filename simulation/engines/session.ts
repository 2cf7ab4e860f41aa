import { fail, refuse, succeed, type Outcome } from '../../src/domain/errors.ts'
import type { CallId, NumberId } from '../../src/domain/ids.ts'
import type { NumberSettings } from '../../src/domain/number.ts'
import type {
  LiveCalls,
  ProviderEvent,
  ProviderSession,
  SendableMessage,
  SendResult,
  SessionSpec,
  UpstreamCall,
} from '../../src/ports/provider.ts'
import type { CallBook } from '../calls.ts'
import type { Journal } from '../journal.ts'
import type { Machine } from '../machine.ts'
import type { Carried, Network } from '../network.ts'
import { failure, type Told, type Upstream } from '../upstream.ts'
import type { Caller, Connection, Engine } from './engine.ts'

/** A session without a line asks for one again after so many ms, and one that has a line asks whether it stands. */
const LOOK_MS = 2_000
const ENGINES_ASKED = 2

/** The engines, as a session finds them. */
interface Fleet {
  readonly network: Network
  readonly journal: Journal
  /** The engine of this id, else any one; null when there is none. */
  pick(id: string | null): Engine | null
}

/** A session of a number from its node to an engine, over the network. */
export class Session implements ProviderSession, Caller {
  readonly #engines: Fleet
  readonly owner: Machine
  readonly numberId: NumberId
  isClosed = false
  #settings: NumberSettings
  #hasSettings = true
  /** Whether all that waits was asked for over the present connection. */
  #isStarted = false
  #connection: Connection | null = null
  /** The engine that is said to hold the number. */
  #holder: string | null = null
  #isAsking = false
  readonly #listener: (event: ProviderEvent) => void
  /** What the node settled, until upstream confirms that it heard so. */
  readonly #settled = new Set<number>()
  /** What the node was told and has not settled: it is not told again. */
  readonly #handed = new Set<number>()

  constructor(engines: Fleet, owner: Machine, spec: SessionSpec, listener: (event: ProviderEvent) => void) {
    this.#engines = engines
    this.owner = owner
    this.numberId = spec.numberId
    this.#settings = spec.settings
    this.#listener = listener
  }

  get #network(): Network {
    return this.#engines.network
  }

  /** Connects, and again whenever the connection is gone, until it is closed. */
  keep(): void {
    if (this.isClosed) return
    if (!this.#isAsking) void this.#look()
    this.owner.after(LOOK_MS, () => this.keep())
  }

  async #look(): Promise<void> {
    this.#isAsking = true
    const connection = this.#connection
    if (!connection) await this.#attach(ENGINES_ASKED)
    else if (await this.#stands(connection)) this.#catchUp()
    else if (this.#connection === connection) this.#lose()
    this.#isAsking = false
  }

  /** Asks an engine, and then the one that is said to hold the number, `asks` in all. */
  async #attach(asks: number): Promise<void> {
    const engine = this.#engines.pick(this.#holder)
    if (!engine || asks === 0) return
    const asked = await this.#network.ask(this.owner, engine.machine, () => engine.attach(this)).catch(() => null)
    if (asked?.kind !== 'answered') return void (this.#holder = null)
    if ('heldBy' in asked.value) {
      this.#holder = asked.value.heldBy
      return this.#attach(this.#holder === null ? 0 : asks - 1)
    }
    if (this.isClosed) return this.#leave(asked.value)
    this.#connection = asked.value
    this.#engines.journal.note('engines', `${engine.id} serves ${this.numberId} to ${this.owner.name}`)
    this.#hasSettings = false
    this.#isStarted = false
    this.#catchUp()
  }

  async #stands(connection: Connection): Promise<boolean> {
    const { line } = connection
    const asked = await this.#network.ask(this.owner, line.engine.machine, () => line.isOf(connection))
    return asked.kind === 'answered' && asked.value
  }

  /** Tells upstream again what was lost on the way. */
  #catchUp(): void {
    if (this.#settled.size > 0) this.#acknowledge()
    if (!this.#hasSettings) void this.applySettings(this.#settings)
    if (!this.#isStarted) void this.#start()
  }

  async #start(): Promise<void> {
    const connection = this.#connection
    const answer = await this.#askLine((asked) => asked.line.tellAll(asked))
    if (this.#connection === connection && answer.kind === 'answered') this.#isStarted = answer.value !== null
  }

  #lose(): void {
    this.#connection = null
    if (!this.isClosed) this.#listener({ type: 'linkDown' })
  }

  /** The engine ends the connection. */
  cut(): void {
    const connection = this.#connection
    const { machine } = connection?.line.engine ?? {}
    if (machine) this.#network.send(machine, this.owner, () => this.#connection === connection && this.#lose())
  }

  /** What the network tells, by the engine. */
  hear({ event, seq }: Told, connection: Connection): void {
    const heard = () => {
      if (this.isClosed || this.#connection !== connection || this.#handed.has(seq) || this.#settled.has(seq)) return
      this.#handed.add(seq)
      this.#listener({ ...event, seq } as ProviderEvent)
    }
    const { line } = connection
    this.#network.stream(line.engine.machine, this.owner, connection, heard, () => line.detach(connection))
  }

  /** Asks the network by the engine; null when the number has another socket there. */
  #ask<T>(run: (upstream: Upstream) => T): Promise<Carried<T | null>> {
    return this.#askLine(({ line }) => line.ask(run))
  }

  async #askLine<T>(run: (connection: Connection) => Promise<Carried<T>>): Promise<Carried<T>> {
    const connection = this.#connection
    if (!connection) return { kind: 'unheard' }
    const { line } = connection
    const asked = await this.#network.ask(this.owner, line.engine.machine, async (): Promise<Carried<T>> =>
      line.isOf(connection) ? run(connection) : { kind: 'unheard' },
    )
    return asked.kind === 'answered' ? asked.value : asked
  }

  async sendMessage(message: SendableMessage): Promise<SendResult> {
    const answer = await this.#ask((upstream) => upstream.take(this.numberId, message))
    if (answer.kind === 'answered') return answer.value ?? { kind: 'unsent', failure }
    return { kind: answer.kind === 'unheard' ? 'unsent' : 'unknown', failure }
  }

  /** What is lost on the way is told again, as a link that stalled is made anew. */
  async applySettings(settings: NumberSettings): Promise<Outcome<null>> {
    this.#settings = settings
    this.#hasSettings = false
    const answer = await this.#ask((upstream) => {
      upstream.device(this.numberId).settings = this.#settings
      return this.#settings
    })
    const used = answer.kind === 'answered' ? answer.value : null
    this.#hasSettings ||= used === this.#settings
    return used ? succeed(null) : fail(refuse('TIMEOUT', 'the device did not answer'))
  }

  /** The device is unlinked, and hears nothing more. */
  async logout(): Promise<Outcome<null>> {
    const answer = await this.#ask((upstream) => {
      upstream.unlink(this.numberId)
      return true
    })
    return answer.kind === 'answered' && answer.value
      ? succeed(null)
      : fail(refuse('TIMEOUT', 'the device did not answer'))
  }

  /** Asks about calls, as long as the engine has the socket of the number. */
  async #askCalls<T>(run: (calls: CallBook) => T | null): Promise<Outcome<T>> {
    const answer = await this.#ask((upstream) => run(upstream.calls))
    if (answer.kind !== 'answered') return fail(refuse('DEVICE_NETWORK_TIMEOUT', 'the device did not answer'))
    return answer.value === null ? fail(refuse('DEVICE_NETWORK_ERROR', 'the device refused')) : succeed(answer.value)
  }

  offerCall = (to: string, _sdp: string, _data?: string | null, callRef: CallId | null = null) =>
    this.#askCalls((calls) => ({ externalCallId: calls.offer(this.numberId, to, callRef) }))

  async acceptCall(externalCallId: string): Promise<Outcome<null>> {
    const accepted = await this.#askCalls((calls) => calls.accept(externalCallId) || null)
    return accepted.ok ? succeed(null) : accepted
  }

  async #hangUp(isIt: (call: UpstreamCall) => boolean): Promise<Outcome<null>> {
    const ended = await this.#askCalls((calls) => {
      calls.hangUp(isIt)
      return true
    })
    return ended.ok ? succeed(null) : ended
  }

  terminateCall = (externalCallId: string) => this.#hangUp((call) => call.externalCallId === externalCallId)
  rejectCall = this.terminateCall

  readonly liveCalls: LiveCalls = {
    list: () => this.#askCalls((calls) => calls.live(this.numberId)),
    terminate: (callRef) => this.#hangUp((call) => call.callRef === callRef),
  }

  settle(seq: number): void {
    this.#handed.delete(seq)
    this.#settled.add(seq)
    this.#acknowledge()
  }

  /** Tells upstream what is settled; what is lost on the way is told again. */
  #acknowledge(): void {
    const settled = [...this.#settled]
    void this.#ask((upstream) => upstream.settle(this.numberId, settled)).then(({ kind }) => {
      if (kind === 'answered') for (const seq of settled) this.#settled.delete(seq)
    })
  }

  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    if (this.#connection) this.#leave(this.#connection)
  }

  #leave(connection: Connection): void {
    const { line } = connection
    this.#network.send(this.owner, line.engine.machine, () => line.detach(connection))
  }

  // What no workload asks for yet.
  readonly #none = async (): Promise<Outcome<never>> => fail(refuse('FEATURE_NOT_SUPPORTED', 'not simulated'))
  sendText = this.#none
  markRead = async () => succeed(null)
}
