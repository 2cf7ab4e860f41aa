import type { CallId, NumberId } from '../src/domain/ids.ts'
import { AccountClients } from './accounts/clients.ts'
import { BatchClients } from './batches.ts'
import { Client } from './client.ts'
import type { Cluster } from './cluster.ts'
import { BEGINNING_MS, type Machine } from './machine.ts'
import type { Random } from './random.ts'
import { RotationClients } from './rotations.ts'
import type { Arrival } from './receivers.ts'
import type { Accepted, Configured, Removed, Written } from './seen.ts'
import { PEOPLE } from './upstream.ts'

/** One thing happens each so many ms. */
const EVERY_MS = [20, 900] as const
/** Of 100 things so many are messages that come in. */
const INBOUND_PERCENT = 40
/** Of 100 things so many are changes of a setting. */
const CHANGES_PERCENT = 15
/** Of 100 things so many are calls, half of them by people. */
const CALLS_PERCENT = 10
/** A bot picks up, or hangs up, after so many ms. */
const BOT_MS = [50, 6_000] as const
/** Of 100 sends so many have a schedule, this much later. */
const SCHEDULED_PERCENT = 12
const SCHEDULED_MS = [500, 15_000] as const
/** In so many of 100 runs a number is removed, at a time between these parts of the busy time. */
const REMOVAL_PERCENT = 40
const REMOVAL_PARTS = [0.3, 0.9] as const

/** Clients that send, and people who write. What they saw is what the checkers hold the cluster to. */
export class Workload {
  readonly accepted: Accepted[] = []
  readonly written: Written[] = []
  readonly configured: Configured[] = []
  readonly removed: Removed[] = []
  readonly batches: BatchClients
  readonly accounts: AccountClients
  readonly rotations: RotationClients
  readonly #cluster: Cluster
  readonly #random: Random
  readonly #client: Client
  #count = 0
  /** The last send of each conversation: the next one waits for it, so that the order is the client's. */
  readonly #lines = new Map<string, Promise<void>>()

  constructor(cluster: Cluster, random: Random, machine: Machine) {
    this.#cluster = cluster
    this.#random = random
    this.#client = new Client(cluster, random, machine)
    this.batches = new BatchClients(cluster, random.branch(), this.#client, this.accepted)
    this.accounts = new AccountClients(cluster, random.branch(), this.#client)
    this.rotations = new RotationClients(cluster, random.branch(), this.#client)
  }

  get isOver(): boolean {
    return this.#client.isIdle
  }

  /** Goes on until `untilMs`. */
  begin(untilMs: number): void {
    const { timeline, receivers } = this.#cluster
    receivers.heard = (arrival) => this.#answer(arrival)
    const next = (): void => {
      if (timeline.nowMs >= untilMs) return
      const numberId = this.#random.pick(this.#cluster.numbers)
      const person = this.#random.pick(PEOPLE)
      const text = `m${++this.#count}`
      if (this.#random.chance(CALLS_PERCENT)) this.#call(numberId, person)
      else if (this.#random.chance(CHANGES_PERCENT)) this.#configure(numberId, text)
      else if (this.#random.chance(INBOUND_PERCENT)) this.#write(numberId, person, text)
      else this.#send(numberId, person, text)
      timeline.after(this.#random.between(...EVERY_MS), next)
    }
    next()
    this.batches.begin(untilMs)
    this.accounts.begin(untilMs)
    this.rotations.begin(untilMs)
    const [early, late] = REMOVAL_PARTS
    const atMs = this.#random.between(early * untilMs, late * untilMs)
    if (this.#random.chance(REMOVAL_PERCENT)) timeline.after(atMs, () => void this.#client.under(() => this.#remove()))
  }

  #write(numberId: NumberId, from: string, text: string): void {
    const externalMessageId = this.#cluster.upstream.write(numberId, from, text)
    this.written.push({ numberId, from, text, externalMessageId })
  }

  #call(numberId: NumberId, person: string): void {
    const { upstream } = this.#cluster
    if (this.#random.chance(50)) return upstream.calls.ring(numberId, person)
    void this.#client.once((gateway) => gateway.placeCall(numberId, person))
  }

  /** A bot picks up what its webhook tells of, and hangs up some of what is connected. */
  #answer({ body }: Arrival): void {
    const { event, channelNumberId, data } = JSON.parse(body) as {
      readonly event: string
      readonly channelNumberId: NumberId
      readonly data: { readonly id: CallId; readonly direction?: string }
    }
    const isRinging = event === 'call.ringing' && data.direction === 'INBOUND'
    if (!isRinging && (event !== 'call.connected' || this.#random.chance(50))) return
    const how = isRinging ? 'Accept' : 'Terminate'
    this.#client.machine.after(this.#random.between(...BOT_MS), () =>
      this.#client.once((gateway) => gateway.steerCall(channelNumberId, data.id, how)),
    )
  }

  #configure(numberId: NumberId, word: string): void {
    const { timeline, journal } = this.#cluster
    const beganMs = timeline.nowMs
    void this.#client.under(async () => {
      const isDone = await this.#client.once((gateway) => gateway.configure(numberId, word))
      this.configured.push({ numberId, word, beganMs, endedMs: isDone ? timeline.nowMs : null })
      journal.note('client', `${word} is ${isDone ? 'set' : 'perhaps set'} for ${numberId}`)
    })
  }

  #send(numberId: NumberId, address: string, text: string): void {
    const { timeline } = this.#cluster
    const isScheduled = this.#random.chance(SCHEDULED_PERCENT)
    const deliverAtMs = isScheduled ? timeline.nowMs + this.#random.between(...SCHEDULED_MS) : null
    const line = `${numberId} ${address}`
    const before = this.#lines.get(line) ?? Promise.resolve()
    const send = { numberId, address, text, deliverAtMs, batch: null }
    this.#lines.set(
      line,
      this.#client.under(() => before.then(() => this.#untilAccepted(send))),
    )
  }

  /** Tries, under one idempotency key, until some gateway accepts, or the number is gone. */
  async #untilAccepted(send: Omit<Accepted, 'messageId' | 'atMs'>): Promise<void> {
    const { journal, timeline } = this.#cluster
    const deliverAt = send.deliverAtMs === null ? null : new Date(BEGINNING_MS + send.deliverAtMs)
    const messageId = await this.#client.untilAnswered((gateway) => gateway.accept({ ...send, deliverAt }))
    journal.note('client', `${send.text} is ${messageId === null ? 'refused' : 'accepted'}`)
    if (messageId !== null) this.accepted.push({ ...send, messageId, atMs: timeline.nowMs })
  }

  /** Removes a number. */
  async #remove(): Promise<void> {
    const { numbers, journal, timeline } = this.#cluster
    const [numberId] = numbers
    if (numberId === undefined || numbers.length === 1) return
    await this.#client.untilAnswered(async (gateway) => {
      if (!(await gateway.remove(numberId))) throw new Error('not yet')
    })
    journal.note('client', `${numberId} is removed`)
    this.removed.push({ numberId, atMs: timeline.nowMs })
  }
}
