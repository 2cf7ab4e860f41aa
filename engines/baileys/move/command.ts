import { StartFault, type Config } from '../process/config.ts'
import { SCHEMA } from '../store/open-store.ts'
import type { PlaceKind } from '../store/moves.ts'
import { moveStore, rehearse } from './move-store.ts'
import { readMoveOptions, USAGE } from './options.ts'
import type { Place } from './place.ts'
import { openPostgresPlace } from './postgres-place.ts'
import { openSqlitePlace } from './sqlite-place.ts'

type MoveConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'key'>

/**
 * `npm run engine -- move`: carries the store between SQLite and PostgreSQL. `words` are those after `move`. Resolves
 * to the exit code: 1 when a number stayed. Throws a StartFault that says what to do.
 */
export async function runMove(
  config: MoveConfig,
  words: readonly string[],
  print: (line: string) => void,
): Promise<number> {
  const options = readMoveOptions(words)
  if (options === null) {
    print(USAGE)
    return 0
  }
  const { from, isDryRun, dropped } = options
  const places = await openPlaces(config, from)
  try {
    const world = { ...places, dropped, print, now: () => Date.now() }
    const stayed = await (isDryRun ? rehearse(world) : moveStore(world)).catch((error: unknown) => {
      throw interruptedBy(error)
    })
    if (stayed.length > 0) print(`${stayed.length} of the numbers ${isDryRun ? 'would stay' : 'stayed'}, as said above`)
    else if (!isDryRun) print(`start the engine ${places.to.startWith} from now on`)
    return stayed.length > 0 ? 1 : 0
  } finally {
    await places.to.close()
    await places.from.close()
  }
}

async function openPlaces(config: MoveConfig, from: PlaceKind): Promise<{ readonly from: Place; readonly to: Place }> {
  const { databaseUrl: url, key } = config
  if (url === null || key === null)
    throw new StartFault(
      'ENGINE_DATABASE_URL must be set, with ENGINE_KEY: it names the PostgreSQL database of the move',
    )
  const sqlite = await openSqlitePlace(config, from === 'postgres')
  try {
    const postgres = await openPostgresPlace({ url, schema: SCHEMA, key })
    return from === 'sqlite' ? { from: sqlite, to: postgres } : { from: postgres, to: sqlite }
  } catch (error) {
    await sqlite.close()
    throw error
  }
}

/** What to do about a database that failed; other errors are not the operator's. */
function interruptedBy(error: unknown): unknown {
  if (error instanceof StartFault || !(error instanceof Error && 'code' in error)) return error
  return new StartFault(
    `The move was interrupted (${error.message}): each number is whole in one place; see to that, then run the same command again`,
  )
}
