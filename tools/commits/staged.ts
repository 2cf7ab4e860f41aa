/** One step of the check before a commit, for the files that the commit adds or changes. */
export interface Step {
  readonly command: string
  readonly args: readonly string[]
}

/** Files that the formatter and the linter read. */
const SOURCE = /\.(ts|tsx|js|cjs|mjs)$/

/**
 * The steps for these files, the cheapest first; none when no source file is among them. Types are checked for the
 * whole project, because a change of one file can break another.
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
