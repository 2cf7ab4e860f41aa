import type { MessageId, NumberId } from '../src/domain/ids.ts'
import { NO_CONTENT, type MessageFailure } from '../src/domain/message.ts'
import { DEFAULT_SETTINGS, type NumberSettings } from '../src/domain/number.ts'
import type { SendableMessage, SendResult } from '../src/ports/provider.ts'
import { CallBook } from './calls.ts'
import type { Journal } from './journal.ts'
import type { Machine } from './machine.ts'
import type { Network } from './network.ts'
import type { Random } from './random.ts'

/** The people on the device network. */
export const PEOPLE = ['551199000001', '551199000002', '551199000003'] as const
/** What upstream says when it fails. */
export const failure: MessageFailure = { code: 'INTERNAL_ERROR', message: 'trouble', details: null, upstreamCode: null }

/** What the owner of a number is told, until it is settled. */
export interface Told {
  readonly seq: number
  readonly event: Record<string, unknown>
}

/** The socket of a number to the network, as an engine has it. */
export interface Socket {
  readonly numberId: NumberId
  readonly engine: { readonly id: string; readonly machine: Machine }
  /** Whether its engine knows that it has the number no more. */
  readonly isOver: boolean
  /** Whether a gateway is connected to it. */
  readonly isServed: boolean
  /** All that waits follows. */
  begin(): void
  hear(told: Told): void
  /** Another socket of the number connected, or the device was unlinked. */
  replaced(): void
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
  /** Null while none is connected. */
  socket: Socket | null = null
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
  /** Told of each socket as it opens, with the one that it replaces. */
  connected: (socket: Socket, former: Socket | null) => void = () => {}

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

  /** A socket of a number opens; a former one is ended. */
  connect(socket: Socket): void {
    const device = this.device(socket.numberId)
    const former = device.socket
    if (device.isUnlinked || former === socket) return
    this.#end(former)
    this.connected(socket, former)
    device.socket = socket
    this.deps.journal.note('upstream', `${socket.engine.id} connects ${socket.numberId}`)
    this.tellAll(socket.numberId)
  }

  #end(socket: Socket | null): void {
    const { network, machine } = this.deps
    if (socket) network.send(machine, socket.engine.machine, () => socket.replaced())
  }

  /** Tells the number's socket all that is not settled, and that it is open. */
  tellAll(numberId: NumberId): true {
    const { socket, told } = this.device(numberId)
    socket?.begin()
    for (const one of told) socket?.hear(one)
    this.tell(numberId, { type: 'state', state: 'OPEN', reason: null })
    return true
  }

  hungUp(socket: Socket): void {
    const device = this.device(socket.numberId)
    if (device.socket === socket) device.socket = null
  }

  settle(numberId: NumberId, seqs: readonly number[]): true {
    const { told } = this.device(numberId)
    told.splice(0, told.length, ...told.filter(({ seq }) => !seqs.includes(seq)))
    return true
  }

  /** The device is unlinked, and hears nothing more. */
  unlink(numberId: NumberId): void {
    const device = this.device(numberId)
    this.#end(device.socket)
    device.told.length = 0
    device.socket = null
    device.isUnlinked = true
  }

  /** A person writes to a number. Answers upstream's id of the message. */
  write(numberId: NumberId, from: string, text: string): string {
    const externalMessageId = `in-${text}`
    this.deps.journal.note('upstream', `${from} writes ${text} to ${numberId}`)
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
    device.socket?.hear(told)
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
