import { StartFault } from '../process/config.ts'
import type { PlaceKind } from '../store/moves.ts'

/** What a move was asked for. */
export interface MoveOptions {
  readonly from: PlaceKind
  /** True when it only says what would move. */
  readonly isDryRun: boolean
  /** Numbers whose rows in the place they come from may be deleted, because they are linked in the other place too. */
  readonly dropped: readonly string[]
}

export const USAGE = `Usage: npm run engine -- move --from sqlite --to postgres [--dry-run] [--drop <numberId>]...
       npm run engine -- move --from postgres --to sqlite [--dry-run] [--drop <numberId>]...

Carries the engine's store from SQLite in ENGINE_DATA_DIR to PostgreSQL of ENGINE_DATABASE_URL, or back. Phones notice
nothing, and no number is scanned again. Stop the engines of both first. Interrupted, it goes on when it is run again.

  --dry-run          say what would move, and move nothing
  --drop <numberId>  of a number that is linked in both: delete its rows in the place they come from`

const KINDS: readonly string[] = ['sqlite', 'postgres'] satisfies readonly PlaceKind[]

interface Read {
  readonly ends: Readonly<Record<string, string>>
  readonly isDryRun: boolean
  readonly dropped: readonly string[]
}

/** Reads the words after `move`; null when the usage is asked for. Throws a StartFault that says what is wrong. */
export function readMoveOptions(words: readonly string[]): MoveOptions | null {
  if (words.includes('--help') || words.includes('-h')) return null
  const { ends, isDryRun, dropped } = read(words)
  const { from, to } = ends
  for (const [option, kind] of [
    ['--from', from],
    ['--to', to],
  ])
    if (kind === undefined || !KINDS.includes(kind)) throw fault(`${option} must be sqlite or postgres`)
  if (from === to) throw fault('--from and --to must be two places')
  return { from: from as PlaceKind, isDryRun, dropped }
}

function read(words: readonly string[]): Read {
  let so: Read = { ends: {}, isDryRun: false, dropped: [] }
  for (let place = 0; place < words.length; place++) {
    const [option = '', joined] = (words[place] ?? '').split(/=(.*)/s)
    if (option === '--dry-run' && joined === undefined) so = { ...so, isDryRun: true }
    else if (['--from', '--to', '--drop'].includes(option)) {
      const value = joined ?? words[++place]
      if (value === undefined || value === '' || value.startsWith('--')) throw fault(`${option} needs a value`)
      so =
        option === '--drop'
          ? { ...so, dropped: [...so.dropped, value] }
          : { ...so, ends: { ...so.ends, [option.slice(2)]: value } }
    } else throw fault(`${words[place]} is no option of move`)
  }
  return so
}

function fault(text: string): StartFault {
  return new StartFault(`${text}\n\n${USAGE}`)
}
