import { pause } from '../actors/engine/pause.ts'
import type { MessageId, NodeId, NumberId } from '../src/domain/ids.ts'
import type { Cluster } from './cluster.ts'
import type { Machine } from './machine.ts'
import type { Random } from './random.ts'

/** A message that a client sent, and was told is accepted. */
export interface Accepted {
  readonly numberId: NumberId
  readonly address: string
  readonly text: string
  readonly messageId: MessageId
  /** When the client knew, in simulated ms. */
  readonly atMs: number
}

/** A message that a person wrote to a number. */
export interface Written {
  readonly numberId: NumberId
  readonly from: string
  readonly text: string
  readonly externalMessageId: string
}

/** A change of a setting that a client asked for. */
export interface Configured {
  readonly numberId: NumberId
  readonly word: string
  readonly beganMs: number
  /** When the client was told that it is done; null when it never was. */
  readonly endedMs: number | null
}

const PEOPLE = ['551199000001', '551199000002', '551199000003'] as const
/** One thing happens each so many ms. */
const EVERY_MS = [20, 900] as const
/** Of 100 things so many are messages that come in. */
const INBOUND_PERCENT = 40
/** Of 100 things so many are changes of a setting. */
const CHANGES_PERCENT = 15
/** A client tries again after so many ms. */
const AGAIN_MS = [100, 2_000] as const

/** Clients that send, and people who write. What they saw is what the checkers hold the cluster to. */
export class Workload {
  readonly accepted: Accepted[] = []
  readonly written: Written[] = []
  readonly configured: Configured[] = []
  readonly #cluster: Cluster
  readonly #random: Random
  readonly #client: Machine
  #count = 0
  /** Clients that wait for an answer. */
  #open = 0
  /** The last send of each conversation: the next one waits for it, so that the order is the client's. */
  readonly #lines = new Map<string, Promise<void>>()

  constructor(cluster: Cluster, random: Random, client: Machine) {
    this.#cluster = cluster
    this.#random = random
    this.#client = client
  }

  get isOver(): boolean {
    return this.#open === 0
  }

  /** Goes on until `untilMs`. */
  begin(untilMs: number): void {
    const { timeline } = this.#cluster
    const next = (): void => {
      if (timeline.nowMs >= untilMs) return
      const numberId = this.#random.pick(this.#cluster.numbers)
      const person = this.#random.pick(PEOPLE)
      const text = `m${++this.#count}`
      if (this.#random.chance(CHANGES_PERCENT)) this.#configure(numberId, text)
      else if (this.#random.chance(INBOUND_PERCENT)) this.#write(numberId, person, text)
      else this.#send(numberId, person, text)
      timeline.after(this.#random.between(...EVERY_MS), next)
    }
    next()
  }

  #write(numberId: NumberId, from: string, text: string): void {
    const externalMessageId = this.#cluster.upstream.write(numberId, from, text)
    this.written.push({ numberId, from, text, externalMessageId })
  }

  /** Asks once: whoever gets no answer does not know. */
  async #ask(numberId: NumberId, word: string): Promise<boolean> {
    const { network, gateways } = this.#cluster
    const gateway = gateways.get(this.#random.pick([...gateways.keys()]))
    if (!gateway) return false
    const carried = await network.ask(this.#client, gateway.machine, () => gateway.configure(numberId, word))
    return carried.kind === 'answered' && carried.value
  }

  #configure(numberId: NumberId, word: string): void {
    const { timeline, journal } = this.#cluster
    const beganMs = timeline.nowMs
    this.#open += 1
    void this.#ask(numberId, word)
      .catch(() => false)
      .then((isDone) => {
        this.configured.push({ numberId, word, beganMs, endedMs: isDone ? timeline.nowMs : null })
        this.#open -= 1
        journal.note('client', `${word} is ${isDone ? 'set' : 'perhaps set'} for ${numberId}`)
      })
  }

  #send(numberId: NumberId, address: string, text: string): void {
    const line = `${numberId} ${address}`
    this.#open += 1
    const before = this.#lines.get(line) ?? Promise.resolve()
    this.#lines.set(
      line,
      before.then(() => this.#untilAccepted(numberId, address, text)),
    )
  }

  /** Tries, under one idempotency key, until some gateway accepts. */
  async #untilAccepted(numberId: NumberId, address: string, text: string): Promise<void> {
    const { network, journal, gateways } = this.#cluster
    for (;;) {
      const nodeId: NodeId = this.#random.pick([...gateways.keys()])
      const gateway = gateways.get(nodeId)
      const messageId =
        gateway
        && (await network
          .ask(this.#client, gateway.machine, () => gateway.accept(text, numberId, address, text))
          .then((carried) => (carried.kind === 'answered' ? carried.value : null))
          .catch(() => null))
      if (messageId) {
        journal.note('client', `${text} is accepted`)
        this.accepted.push({ numberId, address, text, messageId, atMs: this.#cluster.timeline.nowMs })
        this.#open -= 1
        return
      }
      await pause(this.#client, this.#random.between(...AGAIN_MS))
    }
  }
}
