import { z } from 'zod'
import { SET_ASIDE_LINES, type SetAsideLine } from '../domain/set-aside.ts'
import type { SetAsideStore } from '../ports/stores/set-aside-store.ts'
import { ask, type AdminCommands } from './admin-socket.ts'

/** Which of what is set aside: those ids, or all of a line, or all. */
export interface Picked {
  readonly ids: readonly string[]
  readonly line: SetAsideLine | null
  readonly isAll: boolean
}

/** An item as operators see it. `createdAt`: ISO 8601. */
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

/** What became of each item, by its id. */
export interface WorkedOff {
  readonly done: readonly string[]
  /** Nothing but dropping is left for these: whoever waited was told how it ended. */
  readonly final: readonly string[]
  readonly unknown: readonly string[]
}

/** What operators do with what was set aside. */
export interface SetAsideDesk {
  /** Oldest first, 1,000 at most. */
  list(): Promise<ShownAside[]>
  /** Puts items back into their lines. */
  retry(picked: Picked): Promise<WorkedOff>
  /** Forgets items for good. */
  drop(picked: Picked): Promise<WorkedOff>
}

const MOST_LISTED = 1_000
const ID = z.string().regex(/^\d{1,18}$/, 'an id is a number, as `list` shows it')
const PICKED = z.object({ ids: z.array(ID), line: z.enum(SET_ASIDE_LINES).nullable(), isAll: z.boolean() })

/** The desk over the store: in the running gateway, or beside it. */
export function setAsideDesk(store: Pick<SetAsideStore, 'list' | 'ids' | 'retry' | 'drop'>): SetAsideDesk {
  const idsOf = async ({ ids, line, isAll }: Picked) => isAll || line !== null ? await store.ids(line) : ids
  return {
    async list() {
      return (await store.list(MOST_LISTED)).map(({ createdAt, ...item }) => ({ ...item, createdAt: createdAt.toISOString() }))
    },
    async retry(picked) {
      const results = new Map<string, 'retried' | 'final' | 'unknown'>()
      for (const id of await idsOf(picked)) results.set(id, await store.retry(id))
      return workedOff(results)
    },
    async drop(picked) {
      const results = new Map<string, 'retried' | 'unknown'>()
      for (const id of await idsOf(picked)) results.set(id, await store.drop(id) ? 'retried' : 'unknown')
      return workedOff(results)
    },
  }
}

function workedOff(results: ReadonlyMap<string, 'retried' | 'final' | 'unknown'>): WorkedOff {
  const of = (wanted: string) => [...results].flatMap(([id, result]) => result === wanted ? [id] : [])
  return { done: of('retried'), final: of('final'), unknown: of('unknown') }
}

/** Reads which items a command is about; throws in words. */
export function readPicked(body: unknown): Picked {
  const read = PICKED.safeParse(body)
  if (!read.success) throw new Error(read.error.issues.map(({ message }) => message).join('; '))
  return read.data
}

/** The desk's commands over the socket. */
export function setAsideCommands(desk: SetAsideDesk): AdminCommands {
  return {
    '/set-aside/list': () => desk.list(),
    '/set-aside/retry': (body) => desk.retry(readPicked(body)),
    '/set-aside/drop': (body) => desk.drop(readPicked(body)),
  }
}

/** The desk of the gateway that runs in a data directory; each answers null when none does. */
export function askedSetAsideDesk(dataDir: string) {
  return {
    list: () => ask<ShownAside[]>(dataDir, '/set-aside/list', {}),
    retry: (picked: Picked) => ask<WorkedOff>(dataDir, '/set-aside/retry', picked),
    drop: (picked: Picked) => ask<WorkedOff>(dataDir, '/set-aside/drop', picked),
  }
}
