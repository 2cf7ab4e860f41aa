import { fail, refuse, succeed, type Outcome } from '../src/domain/errors.ts'
import type { CallId, MessageId, NumberId } from '../src/domain/ids.ts'
import { NO_CONTENT, type MessageFailure } from '../src/domain/message.ts'
import type {
  LiveCalls,
  ProviderEvent,
  ProviderSession,
  SendableMessage,
  SendResult,
  SessionSpec,
  UpstreamCall,
} from '../src/ports/provider.ts'
import { DEFAULT_SETTINGS, type NumberSettings } from '../src/domain/number.ts'
import { CallBook } from './calls.ts'
import type { Machine } from './machine.ts'
import type { Network } from './network.ts'
import type { Random } from './random.ts'
import type { Journal } from './journal.ts'

/** The people on the device network. */
export const PEOPLE = ['551199000001', '551199000002', '551199000003'] as const
/** What upstream says when it fails. */
const failure: MessageFailure = { code: 'INTERNAL_ERROR', message: 'trouble', details: null, upstreamCode: null }
/** A session that is told nothing is opened again after so many ms. */
const REOPEN_MS = 2_000

interface Told {
  readonly seq: number
  readonly event: Record<string, unknown>
}

/** A message that upstream took. */
export interface Taken {
  readonly messageId: MessageId
  readonly to: string
  readonly text: string
  /** When, in simulated ms. */
  readonly atMs: number
}

/** One number as the device network knows it. */
class Device {
  readonly taken: Taken[] = []
  readonly told: Told[] = []
  seq = 0
  isUnlinked = false
  /** What the device was last told to do. */
  settings: NumberSettings = DEFAULT_SETTINGS
  /** The session that is connected; null while none is. */
  session: Session | null = null
}

interface UpstreamDeps {
  readonly machine: Machine
  readonly network: Network
  readonly random: Random
  readonly journal: Journal
}

/** The device network: it knows messages by their ids, repeats what it tells until it is settled, and may fail. */
export class Upstream {
  readonly deps: UpstreamDeps
  readonly #devices = new Map<NumberId, Device>()
  /** Whether it knows a message by its id when it is sent again. */
  knowsAgain = true
  /** Of 100 messages it throttles or fails so many, before or after it took them. */
  troublePercent = 4
  /** Statuses that it has not told yet. */
  #coming = 0
  readonly calls: CallBook
  /** Told of each session as its node opens it. */
  opened: (session: Session) => void = () => {}

  constructor(deps: UpstreamDeps) {
    this.deps = deps
    this.calls = new CallBook({ ...deps, tell: (numberId, event) => this.tell(numberId, event) })
  }

  /** Whether everything that it told is settled, and nothing more comes by itself. */
  get isQuiet(): boolean {
    return (
      this.#coming === 0 && this.calls.isQuiet && [...this.#devices.values()].every(({ told }) => told.length === 0)
    )
  }

  device(numberId: NumberId): Device {
    const known = this.#devices.get(numberId) ?? new Device()
    this.#devices.set(numberId, known)
    return known
  }

  open(owner: Machine, spec: SessionSpec, listener: (event: ProviderEvent) => void): Session {
    const session = new Session(this, owner, spec, listener)
    this.opened(session)
    session.keep()
    return session
  }

  /** A person writes to a number. Answers upstream's id of the message. */
  write(numberId: NumberId, from: string, text: string): string {
    const externalMessageId = `in-${text}`
    this.deps.journal.note('upstream', `${from} writes ${text}`)
    this.tell(numberId, {
      type: 'messageReceived',
      externalMessageId,
      from,
      fromName: null,
      to: 'number',
      isFromMe: false,
      group: null,
      newsletter: null,
      isStory: false,
      isHistorical: false,
      at: new Date(this.deps.machine.now()),
      messageType: 'text',
      content: { ...NO_CONTENT, text },
      quotedMessageId: null,
    })
    return externalMessageId
  }

  /** Tells the owner of a number something until it is settled. */
  tell(numberId: NumberId, event: Record<string, unknown>): void {
    const device = this.device(numberId)
    if (device.isUnlinked) return
    const told = { seq: ++device.seq, event }
    device.told.push(told)
    device.session?.hear(told)
  }

  /** Takes a message, once for each id. */
  take(numberId: NumberId, message: SendableMessage): SendResult {
    const { random, journal, machine } = this.deps
    const device = this.device(numberId)
    const { messageId, to, content } = message
    const isKnown = this.knowsAgain && device.taken.some((taken) => taken.messageId === messageId)
    if (!isKnown && random.chance(this.troublePercent))
      return random.chance(50)
        ? { kind: 'unsent', failure }
        : { kind: 'throttled', failure, afterMs: random.between(100, 3_000), scope: 'number' }
    const externalMessageId = `up-${messageId}`
    if (!isKnown) {
      const text = content.mode === 'text' ? (content.text ?? '') : ''
      device.taken.push({ messageId, to: to.address, text, atMs: machine.monotonicMs() })
      journal.note('upstream', `takes ${text} for ${to.address}`)
      for (const status of ['DELIVERED', 'READ'] as const) {
        this.#coming += 1
        machine.after(random.between(10, status === 'READ' ? 8_000 : 2_000), () => {
          this.#coming -= 1
          this.tell(numberId, {
            type: 'messageStatus',
            externalMessageId,
            messageId,
            status,
            failure: null,
            at: new Date(machine.now()),
          })
        })
      }
    }
    return random.chance(this.troublePercent) ? { kind: 'unknown', failure } : { kind: 'sent', externalMessageId }
  }
}

/** A session of a number from its node to upstream, over the network. */
export class Session implements ProviderSession {
  readonly upstream: Upstream
  readonly owner: Machine
  readonly numberId: NumberId
  isClosed = false
  #settings: NumberSettings
  #hasSettings = true
  readonly #listener: (event: ProviderEvent) => void
  /** What the node settled, until upstream confirms that it heard so. */
  readonly #settled = new Set<number>()
  /** What the node was told and has not settled: it is not told again. */
  readonly #handed = new Set<number>()

  constructor(upstream: Upstream, owner: Machine, spec: SessionSpec, listener: (event: ProviderEvent) => void) {
    this.upstream = upstream
    this.owner = owner
    this.numberId = spec.numberId
    this.#settings = spec.settings
    this.#listener = listener
  }

  /** Connects, and again whenever the connection is gone, until it is closed. */
  keep(): void {
    if (this.isClosed) return
    if (this.upstream.device(this.numberId).session !== this) this.#connect()
    else {
      if (this.#settled.size > 0) this.#acknowledge()
      if (!this.#hasSettings) void this.applySettings(this.#settings)
    }
    this.owner.after(REOPEN_MS, () => this.keep())
  }

  /** The number's former session is cut. */
  #connect(): void {
    const { network, machine, journal } = this.upstream.deps
    network.send(this.owner, machine, () => {
      if (this.isClosed) return
      const device = this.upstream.device(this.numberId)
      if (device.isUnlinked) return
      if (device.session !== this) device.session?.cut()
      device.session = this
      device.settings = this.#settings
      journal.note('upstream', `session of ${this.owner.name}`)
      for (const told of device.told) this.hear(told)
      this.upstream.tell(this.numberId, { type: 'state', state: 'OPEN', reason: null })
    })
  }

  /** Upstream ends the connection, because another session of the number connected. */
  cut(): void {
    const { network, machine } = this.upstream.deps
    network.send(machine, this.owner, () => this.isClosed || this.#listener({ type: 'linkDown' }))
  }

  hear({ event, seq }: Told): void {
    const { network, machine } = this.upstream.deps
    const heard = () => {
      if (this.isClosed || this.#handed.has(seq) || this.#settled.has(seq)) return
      this.#handed.add(seq)
      this.#listener({ ...event, seq } as ProviderEvent)
    }
    network.stream(machine, this.owner, this, heard, () => {
      const device = this.upstream.device(this.numberId)
      if (device.session === this) device.session = null
    })
  }

  async sendMessage(message: SendableMessage): Promise<SendResult> {
    const { network, machine } = this.upstream.deps
    const answer = await network.ask(this.owner, machine, (): SendResult =>
      this.upstream.device(this.numberId).session === this
        ? this.upstream.take(this.numberId, message)
        : { kind: 'unsent', failure },
    )
    if (answer.kind === 'answered') return answer.value
    return { kind: answer.kind === 'unheard' ? 'unsent' : 'unknown', failure }
  }

  /** What is lost on the way is told again, as a link that stalled is made anew. */
  async applySettings(settings: NumberSettings): Promise<Outcome<null>> {
    this.#settings = settings
    this.#hasSettings = false
    const { network, machine } = this.upstream.deps
    const answer = await network.ask(this.owner, machine, () => {
      const device = this.upstream.device(this.numberId)
      if (device.session !== this) return null
      device.settings = this.#settings
      return this.#settings
    })
    const used = answer.kind === 'answered' ? answer.value : null
    this.#hasSettings ||= used === this.#settings
    return used ? succeed(null) : fail(refuse('TIMEOUT', 'the device did not answer'))
  }

  /** The device is unlinked, and hears nothing more. */
  async logout(): Promise<Outcome<null>> {
    const { network, machine } = this.upstream.deps
    const answer = await network.ask(this.owner, machine, () => {
      const device = this.upstream.device(this.numberId)
      device.told.length = 0
      device.session = null
      device.isUnlinked = true
    })
    return answer.kind === 'answered' ? succeed(null) : fail(refuse('TIMEOUT', 'the device did not answer'))
  }

  /** Asks the device of the number, as long as this is its session. */
  async #ask<T>(run: (calls: CallBook) => T | null): Promise<Outcome<T>> {
    const { network, machine } = this.upstream.deps
    const answer = await network.ask(this.owner, machine, () =>
      this.upstream.device(this.numberId).session === this ? run(this.upstream.calls) : null,
    )
    if (answer.kind !== 'answered') return fail(refuse('DEVICE_NETWORK_TIMEOUT', 'the device did not answer'))
    return answer.value === null ? fail(refuse('DEVICE_NETWORK_ERROR', 'the device refused')) : succeed(answer.value)
  }

  offerCall = (to: string, _sdp: string, _data?: string | null, callRef: CallId | null = null) =>
    this.#ask((calls) => ({ externalCallId: calls.offer(this.numberId, to, callRef) }))

  async acceptCall(externalCallId: string): Promise<Outcome<null>> {
    const accepted = await this.#ask((calls) => calls.accept(externalCallId) || null)
    return accepted.ok ? succeed(null) : accepted
  }

  async #hangUp(isIt: (call: UpstreamCall) => boolean): Promise<Outcome<null>> {
    const ended = await this.#ask((calls) => {
      calls.hangUp(isIt)
      return true
    })
    return ended.ok ? succeed(null) : ended
  }

  terminateCall = (externalCallId: string) => this.#hangUp((call) => call.externalCallId === externalCallId)
  rejectCall = this.terminateCall

  readonly liveCalls: LiveCalls = {
    list: () => this.#ask((calls) => calls.live(this.numberId)),
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
    const { network, machine } = this.upstream.deps
    network.send(this.owner, machine, () => {
      const { told } = this.upstream.device(this.numberId)
      told.splice(0, told.length, ...told.filter(({ seq }) => !settled.includes(seq)))
      network.send(machine, this.owner, () => settled.forEach((seq) => this.#settled.delete(seq)))
    })
  }

  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    const { network, machine } = this.upstream.deps
    network.send(this.owner, machine, () => {
      const device = this.upstream.device(this.numberId)
      if (device.session === this) device.session = null
    })
  }

  // What no workload asks for yet.
  readonly #none = async (): Promise<Outcome<never>> => fail(refuse('FEATURE_NOT_SUPPORTED', 'not simulated'))
  sendText = this.#none
  markRead = async () => succeed(null)
}
