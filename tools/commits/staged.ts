/** What a check before a commit runs, for the files that the commit adds or changes. */
export interface Step {
  readonly command: string
  readonly args: readonly string[]
}

/** The formatter and the linter read these. */
const SOURCE = /\.(ts|tsx|js|cjs|mjs)$/

/**
 * The steps for these files, the cheapest first: nothing when no source is among them. Types are checked as a whole,
 * because a change of one file can break another.
 */
export function stepsFor(files: readonly string[]): Step[] {
  const sources = files.filter((file) => SOURCE.test(file))
  if (sources.length === 0) return []
  return [
    { command: 'oxfmt', args: ['--check', ...sources] },
    { command: 'oxlint', args: ['--deny-warnings', ...sources] },
    { command: 'npm', args: ['run', '-s', 'types'] },
  ]
}
