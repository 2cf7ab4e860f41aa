/** A change of the code, and what became of it. */
export interface Change {
  readonly fileName: string
  readonly mutatorName: string
  readonly replacement: string
  readonly status: string
  readonly location: { readonly start: { readonly line: number; readonly column: number } }
}

/** A change that makes a test fail, or hang, is noticed. */
const NOTICED = new Set(['Killed', 'Timeout'])
const UNNOTICED = new Set(['Survived', 'NoCoverage'])

/** Of 100 changes that could be tried, how many a test noticed; 100 without any. */
export function scoreOf(changes: readonly Change[]): number {
  const noticed = changes.filter(({ status }) => NOTICED.has(status)).length
  const unnoticed = changes.filter(({ status }) => UNNOTICED.has(status)).length
  return noticed + unnoticed === 0 ? 100 : (noticed / (noticed + unnoticed)) * 100
}

function lineOf({ location, mutatorName, replacement }: Change, reason: string | null): string {
  const { line, column } = location.start
  const why = reason === null ? '' : ` (${reason})`
  return `  ${line}:${column} ${mutatorName}: ${replacement.replaceAll(/\s+/g, ' ')}${why}\n`
}

/** Every change that no test noticed: by file with its score, a line each, with the reason if it is known. */
export function survivorsText(
  changes: readonly Change[],
  reasonOf: (change: Change) => string | null = () => null,
): string {
  const byFile = Map.groupBy(changes, ({ fileName }) => fileName)
  return [...byFile]
    .map(([fileName, own]) => {
      const survivors = own.filter(({ status }) => UNNOTICED.has(status))
      if (survivors.length === 0) return ''
      return `${fileName} ${scoreOf(own).toFixed(0)} %\n${survivors.map((change) => lineOf(change, reasonOf(change))).join('')}`
    })
    .join('')
}
