import { z } from 'zod'
import { SET_ASIDE_LINES, type SetAsideLine } from '../domain/set-aside.ts'
import type { DeliveryJob } from '../ports/stores/delivery-store.ts'
import type { RetryResult, SetAsideStore } from '../ports/stores/set-aside-store.ts'
import { ask, type AdminCommands } from './admin-socket.ts'

/** Selects items that were set aside: by id, all of a line, or all. */
export interface Picked {
  readonly ids: readonly string[]
  readonly line: SetAsideLine | null
  readonly isAll: boolean
}

/** An item as operators see it. `createdAt` is ISO 8601. */
export interface ShownAside {
  readonly id: string
  readonly line: SetAsideLine
  readonly item: string
  readonly tenantId: string | null
  readonly numberId: string | null
  readonly accountId: string | null
  readonly reason: string
  readonly tries: number
  readonly createdAt: string
}

/** The ids of the items by outcome. */
export interface WorkedOff {
  readonly done: readonly string[]
  /**
   * Items that cannot be put back: a send, because its sender was told that it failed; the log of a delivery; and a
   * delivery when no gateway runs.
   */
  readonly final: readonly string[]
  readonly unknown: readonly string[]
}

/** Operator commands on items that were set aside. */
export interface SetAsideDesk {
  /** Lists the items, oldest first, 1,000 at most. */
  list(): Promise<ShownAside[]>
  /** Puts items back into their lines. */
  retry(picked: Picked): Promise<WorkedOff>
  /** Deletes items for good. */
  drop(picked: Picked): Promise<WorkedOff>
}

const MOST_LISTED = 1_000
const ID = z.string().regex(/^\d{1,18}$/, 'an id is a number, as `list` shows it')
const PICKED = z.object({ ids: z.array(ID), line: z.enum(SET_ASIDE_LINES).nullable(), isAll: z.boolean() })

export interface SetAsideDeskDeps {
  readonly setAside: Pick<SetAsideStore, 'list' | 'ids' | 'retry' | 'delivery' | 'drop'>
  /** Queues a delivery; null when nothing delivers. */
  readonly enqueue: ((job: DeliveryJob) => Promise<void>) | null
}

/** The desk over the store, in the running gateway or without one. */
export function setAsideDesk({ setAside: store, enqueue }: SetAsideDeskDeps): SetAsideDesk {
  /**
   * Retries an item. The queue of deliveries is not among the tables of the lines, so a crash in between delivers the
   * item and leaves it here too.
   */
  const retry = async (id: string): Promise<RetryResult> => {
    const job = enqueue && (await store.delivery(id))
    if (!enqueue || !job) return await store.retry(id)
    await enqueue(job)
    return (await store.drop(id)) ? 'retried' : 'unknown'
  }
  const idsOf = async ({ ids, line, isAll }: Picked) => (isAll || line !== null ? await store.ids(line) : ids)
  return {
    async list() {
      return (await store.list(MOST_LISTED)).map(({ createdAt, ...item }) => ({
        ...item,
        createdAt: createdAt.toISOString(),
      }))
    },
    async retry(picked) {
      const results = new Map<string, RetryResult>()
      for (const id of await idsOf(picked)) results.set(id, await retry(id))
      return workedOff(results)
    },
    async drop(picked) {
      const results = new Map<string, RetryResult>()
      for (const id of await idsOf(picked)) results.set(id, (await store.drop(id)) ? 'retried' : 'unknown')
      return workedOff(results)
    },
  }
}

function workedOff(results: ReadonlyMap<string, RetryResult>): WorkedOff {
  const of = (wanted: RetryResult) => [...results].flatMap(([id, result]) => (result === wanted ? [id] : []))
  return { done: of('retried'), final: of('final'), unknown: of('unknown') }
}

/** Reads which items a command selects; throws in words. */
export function readPicked(body: unknown): Picked {
  const read = PICKED.safeParse(body)
  if (!read.success) throw new Error(read.error.issues.map(({ message }) => message).join('; '))
  return read.data
}

/** The commands of the desk over the socket. */
export function setAsideCommands(desk: SetAsideDesk): AdminCommands {
  return {
    '/set-aside/list': () => desk.list(),
    '/set-aside/retry': (body) => desk.retry(readPicked(body)),
    '/set-aside/drop': (body) => desk.drop(readPicked(body)),
  }
}

/** The desk of the gateway that runs in a data directory; each command answers null when none runs. */
export function askedSetAsideDesk(dataDir: string) {
  return {
    list: () => ask<ShownAside[]>(dataDir, '/set-aside/list', {}),
    retry: (picked: Picked) => ask<WorkedOff>(dataDir, '/set-aside/retry', picked),
    drop: (picked: Picked) => ask<WorkedOff>(dataDir, '/set-aside/drop', picked),
  }
}
