import { setTimeout as pause } from 'node:timers/promises'
import type { PlannedStrike } from '../../bench/fleet/plan.ts'
import type { FleetEngine, FleetWorld, Place, Places } from './fleet-world.ts'
import { until } from './until.ts'

/** What became of the numbers that a strike hit. */
export interface Struck {
  /** Ms until each of them was open elsewhere, the shortest first. */
  readonly tookMs: readonly number[]
  /** Ms that each of them was without a socket, to half a second, the shortest first. */
  readonly downMs: readonly number[]
  /** Numbers of a frozen engine that were its own when it ran again. */
  readonly kept: number
  /** Ms until every number of the fleet was open. */
  readonly allOpenMs: number
  /** Logins beside a socket that another engine had open, save one for each number of a process that stood still. */
  readonly overlaps: number
  /** Logins of an engine that had given up a socket of the number, before the network saw that one end. */
  readonly again: number
  /** Logins beside the socket of a process that stood still, which can close none. */
  readonly displaced: number
  /** Stanzas on a socket after a later one of its number had logged in. */
  readonly late: number
}

type Moved = Pick<Struck, 'tookMs' | 'downMs' | 'kept'>
/** Where a number that was struck is now; null while it is not open yet. */
type Where = (now: Place, before: Place, digits: string) => 'elsewhere' | 'kept' | null

function heldBy(places: Places, { engineId }: FleetEngine): Map<string, Place> {
  return new Map([...places].filter(([, place]) => place.engineId === engineId))
}

/** What is counted of numbers while they move. */
interface Counting {
  readonly tookMs: number[]
  readonly downMs: number[]
  kept: number
}

function noneMoved(): Counting {
  return { tookMs: [], downMs: [], kept: 0 }
}

function ascending(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other)
}

/** Open on another engine, which logged in since. */
function elsewhere(now: Place, before: Place): 'elsewhere' | null {
  const isOpen = now.state === 'OPEN' && now.sockets.open > 0 && now.sockets.logins > before.sockets.logins
  return isOpen && now.engineId !== null && now.engineId !== before.engineId ? 'elsewhere' : null
}

/** Strikes a fleet, one strike after another; `random` draws the victims. */
export class FleetStrikes {
  readonly #world: FleetWorld
  readonly #random: () => number

  constructor(world: FleetWorld, random: () => number) {
    this.#world = world
    this.#random = random
  }

  /** Strikes, and resolves once every number is open again. */
  async strike({ what, frozenMs, isGatewayKilled }: PlannedStrike): Promise<Struck> {
    const before = await this.#world.look()
    const startMs = performance.now()
    const [moved] = await Promise.all([
      what === 'kill' ? this.#killEngine(before) : null,
      what === 'freeze' ? this.#freezeEngine(before, frozenMs) : null,
      what === 'roll' ? this.#rollEngines() : null,
      what === 'gateway' || isGatewayKilled ? this.#killGateway(before) : null,
    ]).then((all) => all.filter((one) => one !== null))
    await this.#world.untilAllOpen()
    const { tookMs, downMs, kept } = moved ?? noneMoved()
    return {
      tookMs: ascending(tookMs),
      downMs: ascending(downMs),
      kept,
      allOpenMs: performance.now() - startMs,
      ...this.#beside(before, await this.#world.look(), what === 'freeze'),
    }
  }

  /** Compares the counts of before and after a strike. */
  #beside(before: Places, after: Places, isFreeze: boolean): Pick<Struck, 'overlaps' | 'again' | 'displaced' | 'late'> {
    let [overlaps, again, displaced, late] = [0, 0, 0, 0]
    for (const [digits, { sockets, engineId }] of after) {
      const was = before.get(digits)
      const more = sockets.overlaps - (was?.sockets.overlaps ?? 0)
      const isDisplaced = isFreeze && more > 0 && was?.engineId !== engineId
      if (isDisplaced) displaced++
      overlaps += isDisplaced ? more - 1 : more
      again += sockets.again - (was?.sockets.again ?? 0)
      late += sockets.late - (was?.sockets.late ?? 0)
    }
    return { overlaps, again, displaced, late }
  }

  #draw<T>(all: readonly T[]): T {
    const one = all[Math.floor(this.#random() * all.length)]
    if (one === undefined) throw new Error('nothing runs that could be struck')
    return one
  }

  /** An engine that holds numbers. */
  #victim(places: Places): FleetEngine {
    return this.#draw(this.#world.engines.filter((engine) => heldBy(places, engine).size > 0))
  }

  async #moved(struck: Map<string, Place>, where: Where): Promise<Moved> {
    const startMs = performance.now()
    const left = new Map(struck)
    const lastOpenMs = new Map<string, number>()
    const moved = noneMoved()
    await until('the numbers that were struck are open', async () => {
      const places = await this.#world.look()
      const nowMs = performance.now() - startMs
      for (const [digits, before] of left) {
        const now = places.get(digits)
        const found = now ? where(now, before, digits) : null
        if (found === null) {
          if (now && now.sockets.open > 0 && now.engineId === before.engineId) lastOpenMs.set(digits, nowMs)
          continue
        }
        left.delete(digits)
        if (found === 'kept') moved.kept++
        else {
          moved.tookMs.push(nowMs)
          moved.downMs.push(nowMs - (lastOpenMs.get(digits) ?? 0))
        }
      }
      return left.size === 0
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${[...left.keys()].join(', ')} are not`)
    })
    return moved
  }

  /** Kills an engine with its machine's files; another one starts on an empty folder. */
  async #killEngine(places: Places): Promise<Moved> {
    const victim = this.#victim(places)
    const struck = heldBy(places, victim)
    await victim.program.kill()
    const [moved] = await Promise.all([
      this.#moved(struck, elsewhere),
      this.#world.forget(victim).then(() => this.#world.startEngine()),
    ])
    return moved
  }

  /** Stops an engine's process for a while, or until every number of it is open elsewhere. */
  async #freezeEngine(places: Places, frozenMs: number | null): Promise<Moved> {
    const victim = this.#victim(places)
    const struck = heldBy(places, victim)
    process.kill(victim.program.pid, 'SIGSTOP')
    /** As the process ran again; null before that. */
    let resumed: Places | null = null
    const thaw = async (): Promise<void> => {
      const seen = await this.#world.look()
      process.kill(victim.program.pid, 'SIGCONT')
      resumed = seen
    }
    const moving = this.#moved(struck, (now, before, digits) => {
      const renewed = now.leaseEndsMs > (resumed?.get(digits)?.leaseEndsMs ?? Infinity)
      return renewed && now.engineId === victim.engineId ? 'kept' : elsewhere(now, before)
    })
    await Promise.all([moving, frozenMs === null ? moving.finally(thaw) : pause(frozenMs).then(thaw)])
    return await moving
  }

  /** Starts a successor for each engine, and ends the engine. */
  async #rollEngines(): Promise<Moved> {
    const all = noneMoved()
    for (const old of this.#world.engines) {
      await this.#world.startEngine()
      const struck = heldBy(await this.#world.look(), old)
      const ending = old.program.end()
      const { tookMs, downMs } = await this.#moved(struck, elsewhere)
      all.tookMs.push(...tookMs)
      all.downMs.push(...downMs)
      const code = await ending
      if (code !== 0) throw new Error(`an engine that was told to end ended with ${code}`)
      await this.#world.forget(old)
    }
    return all
  }

  /** Kills a gateway and starts it again; its numbers are elsewhere once a gateway took them anew. */
  async #killGateway(places: Places): Promise<Moved> {
    const { cluster } = this.#world
    const victim = this.#draw(cluster.running)
    const struck = new Map([...places].filter(([, { nodeId }]) => nodeId === victim.nodeId))
    await victim.kill('SIGKILL')
    const [moved] = await Promise.all([
      this.#moved(struck, (now, before) =>
        now.nodeToken > before.nodeToken && now.state === 'OPEN' ? 'elsewhere' : null,
      ),
      cluster.restartNode(victim),
    ])
    return moved
  }
}
