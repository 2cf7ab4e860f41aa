import type { PlannedStrike } from '../../bench/fleet/plan.ts'
import { heardFaults, shownOnPhones, untilHeard } from './engine-accounts.ts'
import type { FleetStrikes, Struck } from './fleet-strikes.ts'
import type { FleetWorld } from './fleet-world.ts'
import { eventFaults, untilEnded } from './message-accounts.ts'
import { MessageStorm, type Conversation } from './message-storm.ts'
import { PhoneStorm, type Chat } from './phone-storm.ts'
import { storedEvents } from './receiver-ledger.ts'
import type { PairedNumber } from './service.ts'

export interface TrafficSize {
  /** People who write to each number, and are written to by it. */
  readonly peers: number
  /** In each chat. */
  readonly texts: number
  readonly sends: number
}

/** A strike of a run, and what became of it. */
export type Strike = PlannedStrike & Struck

/** What is left of a run once everything has ended. */
export interface Account {
  readonly texts: number
  readonly sends: number
  /** Each message that is lost, doubled, out of its chat's order or without its one end; each number scanned again. */
  readonly faults: readonly string[]
  /** Sends that went out again under the same id; phones show those once. */
  readonly again: number
}

/** How far ahead of the next strike each side may write, as a share of it all. */
const AHEAD = 0.01
const SENDERS = 12

/** What the network counts of clients that came to be linked, and of those it turned away. */
interface Linking {
  readonly registrations: number
  readonly refusedLogins: number
}

/** Traffic of a fleet in both directions, through strikes, and the account of it. */
export class FleetTraffic {
  readonly #world: FleetWorld
  readonly #chats: readonly Chat[]
  readonly #conversations: readonly Conversation[]
  readonly #size: TrafficSize
  readonly #linking: Linking

  private constructor(world: FleetWorld, numbers: readonly PairedNumber[], size: TrafficSize, linking: Linking) {
    const peers = peersOf(size)
    this.#world = world
    this.#size = size
    this.#linking = linking
    this.#chats = numbers.flatMap((number) => peers.map((peer) => ({ number, peer, written: [] })))
    this.#conversations = this.#chats.map(({ number, peer }) => ({
      number,
      peer,
      kind: 'UNOFFICIAL',
      texts: [],
      ids: [],
    }))
  }

  /** The numbers are paired, and none of them may be again. */
  static async of(world: FleetWorld, numbers: readonly PairedNumber[], size: TrafficSize): Promise<FleetTraffic> {
    for (const peer of peersOf(size))
      await world.network.post(`/control/phones/${peer}/settings`, { autoReceipt: 'read' })
    await world.untilAllOpen()
    return new FleetTraffic(world, numbers, size, await world.network.get<Linking>('/control/statistics'))
  }

  get texts(): number {
    return this.#chats.length * this.#size.texts
  }

  /** Writes everything while the fleet is struck at the planned points; `told` hears of each strike. */
  async through(
    plan: readonly PlannedStrike[],
    strikes: FleetStrikes,
    told: (strike: Strike) => void = () => {},
  ): Promise<Strike[]> {
    const storms = [
      new PhoneStorm(this.#world.network, this.#chats, this.#size.texts),
      new MessageStorm(this.#world.cluster.balanced, this.#conversations, this.#size.sends, SENDERS),
    ]
    const running = Promise.all(storms.map((storm) => storm.run()))
    // When a storm fails, the run ends where that is awaited; the waits below then give up.
    running.catch(() => {})
    const done: Strike[] = []
    for (const planned of plan) {
      const share = planned.at / this.texts
      for (const storm of storms) storm.allow(Math.ceil(storm.total * Math.min(1, share + AHEAD)))
      await Promise.all(storms.map((storm) => storm.untilAccepted(Math.floor(storm.total * share))))
      const strike = { ...planned, ...(await strikes.strike(planned)) }
      told(strike)
      done.push(strike)
    }
    for (const storm of storms) storm.allow(storm.total)
    await running
    return done
  }

  /**
   * Waits until everything has ended, and compares what is there with what was written. What never ends is a fault too:
   * each wait gives up once nothing moves for minutes, and the comparison then names what is missing.
   */
  async account(): Promise<Account> {
    const { cluster } = this.#world
    const unended = [
      ...(await faultsOf(untilEnded(cluster.balanced, this.#conversations))),
      ...(await faultsOf(untilHeard(this.#world, cluster.balanced, this.#chats))),
    ]
    const events = await storedEvents(cluster.balanced, cluster.tenantKey)
    const { faults, again } = await shownOnPhones(this.#world, this.#conversations)
    return {
      texts: this.texts,
      sends: this.#conversations.reduce((sum, { ids }) => sum + ids.length, 0),
      faults: [
        ...unended,
        ...(await heardFaults(cluster.balanced, events, this.#chats)),
        ...eventFaults(
          events.filter(({ event }) => event.startsWith('message.')),
          this.#conversations,
        ),
        ...faults,
        ...(await this.#linkingFaults()),
      ],
      again,
    }
  }

  async #linkingFaults(): Promise<string[]> {
    const { registrations, refusedLogins } = await this.#world.network.get<Linking>('/control/statistics')
    const faults = Object.entries(await this.#world.sockets())
      .filter(([, { scans }]) => scans !== 1)
      .map(([digits, { scans }]) => `${digits} was linked ${scans} times`)
    if (registrations > this.#linking.registrations)
      faults.push(`${registrations - this.#linking.registrations} clients came to be linked again`)
    if (refusedLogins > this.#linking.refusedLogins)
      faults.push(`${refusedLogins - this.#linking.refusedLogins} logins were refused`)
    return faults
  }
}

/** The fault of a wait that gave up; none of one that ended. */
function faultsOf(wait: Promise<unknown>): Promise<string[]> {
  return wait.then(
    () => [],
    (error: unknown) => [String(error)],
  )
}

function peersOf({ peers }: TrafficSize): string[] {
  return Array.from({ length: peers }, (_, index) => `55119999${90_001 + index * 10}`)
}

/** Faults of a strike: two sockets of one number at once, and words on one that was no longer the number's. */
export function strikeFaults({ what, overlaps, late }: Strike): string[] {
  return [
    ...(overlaps > 0 ? [`${what}: ${overlaps} logins beside a socket that another engine had open`] : []),
    ...(late > 0 ? [`${what}: ${late} stanzas on a socket that another one had replaced`] : []),
  ]
}
