import { pause } from '../actors/engine/pause.ts'
import { fail, refuse, succeed, type Outcome } from '../src/domain/errors.ts'
import type { CallId } from '../src/domain/ids.ts'
import type { AdoptedCall, MediaCall, MediaEvent, MediaPort, OpenedLeg } from '../src/ports/media.ts'
import type { Machine } from './machine.ts'
import type { Network } from './network.ts'

/** What could not be told to the hosts is told again after so many ms. */
const AGAIN_MS = 1_000
/** A leg whose owner says nothing for so long is ended (docs/scale.md), in ms. */
const UNOWNED_MS = 60_000

const AWAY = refuse('MEDIA_UNAVAILABLE', 'The media host does not answer')
const UNKNOWN = refuse('CALL_NOT_FOUND', 'The media host knows no such call')
const NOT_OWNER = refuse('NOT_OWNER', 'Another node owns the call')
const NOT_SIMULATED = refuse('FEATURE_NOT_SUPPORTED', 'Not simulated')

interface Leg {
  fence: number
  hasLeg: boolean
  /** Null once its owner left it to the next one. */
  owner: Machine | null
}

/** The media hosts, as far as their control goes: which call they hold, and for which owner. */
export class MediaHosts {
  readonly machine: Machine
  readonly legs = new Map<CallId, Leg>()
  readonly #ended = new Set<CallId>()

  constructor(machine: Machine) {
    this.machine = machine
  }

  open({ callId, fence = 0 }: MediaCall, owner: Machine, hasLeg: boolean): Outcome<OpenedLeg> {
    const known = this.legs.get(callId)
    if (known && known.fence > fence) return fail(NOT_OWNER)
    if (this.#ended.has(callId)) return fail(UNKNOWN)
    this.legs.set(callId, { fence, hasLeg: hasLeg || known?.hasLeg === true, owner })
    this.#watch(callId)
    return succeed({ sdp: 'description of a leg', host: this.machine.name })
  }

  adopt({ callId, fence = 0 }: MediaCall, owner: Machine): Outcome<AdoptedCall> {
    const known = this.legs.get(callId)
    if (!known) return fail(UNKNOWN)
    if (known.fence > fence) return fail(NOT_OWNER)
    Object.assign(known, { fence, owner })
    return succeed({ hasLeg: known.hasLeg })
  }

  close(callId: CallId, fence: number): void {
    if ((this.legs.get(callId)?.fence ?? 0) <= fence) this.#end(callId)
  }

  #end(callId: CallId): void {
    this.legs.delete(callId)
    this.#ended.add(callId)
  }

  leave(callId: CallId, fence: number): void {
    const leg = this.legs.get(callId)
    if (leg && leg.fence <= fence) leg.owner = null
  }

  /** Ends a leg whose owner is gone, and that nobody adopted. */
  #watch(callId: CallId): void {
    this.machine.after(UNOWNED_MS, () => {
      const leg = this.legs.get(callId)
      if (!leg) return
      if (leg.owner === null || leg.owner.isDead) this.#end(callId)
      else this.#watch(callId)
    })
  }
}

/** The media hosts as a node reaches them over the network. */
export class NodeMedia implements MediaPort {
  readonly outlives = true
  readonly #hosts: MediaHosts
  readonly #node: Machine
  readonly #network: Network
  readonly #fences = new Map<CallId, number>()
  /** The last request of each call: those of one call reach the hosts in the order in which they were made. */
  readonly #lines = new Map<CallId, Promise<unknown>>()

  constructor(hosts: MediaHosts, node: Machine, network: Network) {
    this.#hosts = hosts
    this.#node = node
    this.#network = network
  }

  async #ask<T>(run: () => Outcome<T>): Promise<Outcome<T>> {
    const carried = await this.#network.ask(this.#node, this.#hosts.machine, run)
    return carried.kind === 'answered' ? carried.value : fail(AWAY)
  }

  #inTurn<T>(callId: CallId, work: () => Promise<T>): Promise<T> {
    const turn = (this.#lines.get(callId) ?? Promise.resolve()).then(work)
    this.#lines.set(callId, turn)
    return turn
  }

  #open(call: MediaCall, hasLeg: boolean): Promise<Outcome<OpenedLeg>> {
    this.#fences.set(call.callId, call.fence ?? 0)
    return this.#inTurn(call.callId, () => this.#ask(() => this.#hosts.open(call, this.#node, hasLeg)))
  }

  #ofLeg = (callId: CallId): Promise<Outcome<null>> =>
    this.#inTurn(callId, () => this.#ask(() => (this.#hosts.legs.get(callId)?.hasLeg ? succeed(null) : fail(UNKNOWN))))

  offer = (call: MediaCall) => this.#open(call, true)
  answer = (call: MediaCall) => this.#open(call, true)
  announce = async (call: MediaCall): Promise<Outcome<null>> => {
    const opened = await this.#open(call, false)
    return opened.ok ? succeed(null) : opened
  }
  connect = this.#ofLeg
  update = this.#ofLeg
  adopt = (call: MediaCall): Promise<Outcome<AdoptedCall>> => {
    this.#fences.set(call.callId, call.fence ?? 0)
    return this.#inTurn(call.callId, () => this.#ask(() => this.#hosts.adopt(call, this.#node)))
  }

  /** Tells the hosts something until they heard it, for as long as the node lives. */
  #tell(callId: CallId, run: () => void): void {
    void this.#inTurn(callId, async () => {
      while (!(await this.#ask(() => succeed(run()))).ok) await pause(this.#node, AGAIN_MS)
    })
  }

  close = (callId: CallId, { fence = this.#fences.get(callId) ?? 0 }: { readonly fence?: number }): void =>
    this.#tell(callId, () => this.#hosts.close(callId, fence))
  leave = (callId: CallId): void => this.#tell(callId, () => this.#hosts.leave(callId, this.#fences.get(callId) ?? 0))
  setStatus = (): void => {}
  onEvent = (_listener: (event: MediaEvent) => void): void => {}

  // What no workload asks for yet.
  readonly #none = async (): Promise<Outcome<never>> => fail(NOT_SIMULATED)
  mint = this.#none
  giveBack = this.#none
  dial = this.#none
  play = this.#none
}
