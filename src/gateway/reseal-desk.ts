import { z } from 'zod'
import { RESEAL_FROM } from '../ports/stores/resealing-store.ts'
import type { ResealingStore, ResealPlace, ResealStep } from '../ports/stores/resealing-store.ts'
import type { Config } from '../config.ts'
import { ask, type AdminCommands } from './admin-socket.ts'
import { askOrDo } from './beside.ts'

const PLACE = z.object({ column: z.int().min(0), after: z.array(z.string()).nullable() })

export interface ResealDeskDeps {
  readonly resealing: ResealingStore
}

/** The command over the socket. Each call is one step, so that the caller sees the progress. */
export function resealCommands({ resealing }: ResealDeskDeps): AdminCommands {
  return { '/reseal': (body) => resealing.step(PLACE.parse(body)) }
}

/** Asks a running gateway for a step; null when none listens in this data directory. */
function askToReseal(dataDir: string, place: ResealPlace): Promise<ResealStep | null> {
  return ask(dataDir, '/reseal', place)
}

/** Counts over all steps. */
export interface Resealed {
  readonly looked: number
  readonly resealed: number
  readonly unopened: number
}

/** Runs step after step to the end, and reports after each the counts of its column. */
export async function resealAll(
  step: (place: ResealPlace) => Promise<ResealStep>,
  tell: (of: string, soFar: Resealed) => void,
): Promise<Resealed> {
  const all = { looked: 0, resealed: 0, unopened: 0 }
  let column = { ...all }
  for (let place: ResealPlace | null = RESEAL_FROM; place;) {
    const made: ResealStep = await step(place)
    for (const count of ['looked', 'resealed', 'unopened'] as const) {
      all[count] += made[count]
      column[count] += made[count]
    }
    tell(made.of, column)
    if (made.next?.column !== place.column) column = { looked: 0, resealed: 0, unopened: 0 }
    place = made.next
  }
  return all
}

/**
 * Reseals all secrets, in the gateway that runs in the data directory, or without one in the database, which stays open
 * meanwhile.
 */
export async function resealIn(config: Config, tell: (of: string, soFar: Resealed) => void): Promise<Resealed> {
  const onward = (step: (place: ResealPlace) => Promise<ResealStep>): Promise<Resealed> => resealAll(step, tell)
  const asked = async (place: ResealPlace): Promise<ResealStep> => (await askToReseal(config.dataDir, place)) ?? gone()
  return await askOrDo(
    config,
    'tenant',
    async (dataDir) => (await askToReseal(dataDir, RESEAL_FROM)) && onward(asked),
    ({ stores }) => onward((place) => stores.resealing.step(place)),
  )
}

function gone(): never {
  throw new Error('the gateway ended meanwhile; run it again, what is done is passed over')
}
