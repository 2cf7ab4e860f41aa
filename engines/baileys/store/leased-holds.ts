import type { NumberId } from '../../../src/domain/ids.ts'
import { createOwnership, type Ownership } from '../../../src/leases/ownership.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Fence, Leases } from '../../../src/ports/leases.ts'
import type { Log } from '../../../src/ports/log.ts'
import { HeldElsewhere, HoldFault, type Hold, type Holds } from './hold.ts'

export interface LeasedHoldsParts {
  readonly leases: Leases
  readonly clock: Clock
  readonly log: Log
}

/** The holds of an engine among others: leases with fences, renewed together, as gateways have them for numbers. */
export function leasedHolds({ leases, clock, log }: LeasedHoldsParts): Holds {
  const ends = new Map<string, AbortController>()
  const taking = new Map<string, Promise<Hold>>()
  const ownership = createOwnership({
    leases,
    clock,
    log,
    lost: (numberId) => ends.get(numberId)?.abort(new HoldFault('its lease is lost')),
    found: (numberIds) => {
      for (const numberId of numberIds) if (!taking.has(numberId)) void giveBack(numberId)
    },
    // Ids of engines are new with each start.
    replaced: () => log.error({}, 'another engine has the id of this one'),
  })
  ownership.start()

  /** Takes and releases a number whose row names this engine, though nobody here holds it. */
  async function giveBack(numberId: NumberId): Promise<void> {
    const hold = await takeOnce(numberId).catch(() => null)
    await hold?.release()
  }

  function takeOnce(numberId: string): Promise<Hold> {
    const running = taking.get(numberId) ?? takeNow(numberId).finally(() => taking.delete(numberId))
    taking.set(numberId, running)
    return running
  }

  async function takeNow(id: string): Promise<Hold> {
    const numberId = id as NumberId
    const fence = await ownership.acquire(numberId)
    if (!fence) {
      const holder = await leases.ownerOf(numberId)
      throw new HeldElsewhere(holder?.nodeId ?? null, holder?.leftMs ?? 0)
    }
    const over = new AbortController()
    ends.set(id, over)
    over.signal.addEventListener('abort', () => {
      if (ends.get(id) === over) ends.delete(id)
    })
    return holdOf({ fence, over, ownership, clock, checkMs: leases.times.checkMs })
  }

  return {
    take: takeOnce,
    async close() {
      ownership.stop()
      const held = [...ends]
      for (const [, over] of held) over.abort(new HoldFault('the engine ends'))
      await Promise.all(held.map(([numberId]) => ownership.release(numberId as NumberId)))
    },
  }
}

interface HoldParts {
  readonly fence: Fence
  readonly over: AbortController
  readonly ownership: Ownership
  readonly clock: Clock
  /** Ms between two looks whether it is sure again. */
  readonly checkMs: number
}

function holdOf({ fence, over, ownership, clock, checkMs }: HoldParts): Hold {
  const { numberId, token } = fence
  const isSure = (): boolean => !over.signal.aborted && ownership.isSure(fence)

  async function release(why: string): Promise<void> {
    over.abort(new HoldFault(why))
    // A newer hold of the number is another one's to give back.
    if (ownership.holds(fence)) await ownership.release(numberId)
  }

  return {
    numberId,
    token,
    over: over.signal,
    isSure,
    async sure() {
      for (;;) {
        over.signal.throwIfAborted()
        if (isSure()) return
        await new Promise<void>((resolve) => clock.after(checkMs, resolve))
      }
    },
    end: (why) => void release(why),
    release: () => release('it was given back'),
  }
}
