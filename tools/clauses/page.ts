/** One rule of the contract. */
export interface Clause {
  /** `topic.subject.number`, without brackets. */
  readonly mark: string
  /** Line number, from 1. */
  readonly line: number
  /** False for a planned rule: no code serves it, so no test has to cite it. */
  readonly isServed: boolean
}

/** A page of `docs/contract`: the rules of one topic. */
export interface Page {
  /** Path from the root of the repository, with forward slashes. */
  readonly path: string
  /** False for a page of planned rules alone. */
  readonly isServed: boolean
  readonly clauses: readonly Clause[]
  /** Faults of the page itself, one line each with its place. */
  readonly faults: readonly string[]
}

/** Lines of a page are at most this wide, except tables and words that cannot be broken. */
const COLUMNS = 120
const NAME = '[a-z][a-z0-9-]*'
/** A mark in pages and citations. */
export const MARK = new RegExp(String.raw`\[(${NAME}\.${NAME}\.\d+)\]`, 'g')
/** A rule is a list item or a table row. */
const RULE = /^(?:- |\| )\[([^\]]+)\] /
const IS_RULE = /^(?:- |\| )/
const IS_HEAD = /^\| mark \|/
const PLANNED = 'Planned: not yet served.'

/** The value of a name in the front matter of a page; '' when it is absent. */
function saidInFront(text: string, name: string): string {
  const [, front = ''] = /^---\n([^]*?)\n---\n/.exec(text) ?? []
  return new RegExp(`^${name}: (.*)$`, 'm').exec(front)?.[1] ?? ''
}

/** The subject of a heading, which is also its anchor. */
function subjectOf(heading: string): string {
  return heading.slice('## '.length).toLowerCase().replaceAll(' ', '-')
}

/**
 * Faults of what stands above the first heading: the topic must be the file name, the status one of two, and a planned
 * page must say that it is planned.
 */
function frontFaults(path: string, text: string): string[] {
  const status = saidInFront(text, 'status')
  const [head = ''] = text.split('\n## ')
  const faults = [
    ...(path.endsWith(`/${saidInFront(text, 'topic')}.md`) ? [] : ['its topic is not the name of the file']),
    ...(status === 'served' || status === 'planned' ? [] : ['its status is neither served nor planned']),
    ...(`${head}\n`.includes(`\n${PLANNED}\n`) === (status === 'planned')
      ? []
      : [`"${PLANNED}" does not fit its status`]),
  ]
  return faults.map((fault) => `${path}: ${fault}`)
}

/** The fault of a line that should be a rule; null when there is none. */
function ruleFault(mark: string | undefined, expected: string): string | null {
  if (mark === undefined) return 'is a rule without a mark'
  if (!mark.startsWith(expected)) return `[${mark}] does not begin with ${expected} as its topic and heading do`
  return /^\d+$/.test(mark.slice(expected.length)) ? null : `[${mark}] does not end in a number`
}

function isTooWide(line: string): boolean {
  return line.length > COLUMNS && !line.startsWith('|') && line.trim().includes(' ')
}

/**
 * Reads a page of the contract. Rules of a served page are planned where they stand below the line that says so, up to
 * the next heading.
 */
export function readPage(path: string, text: string): Page {
  const topic = saidInFront(text, 'topic')
  const isServed = saidInFront(text, 'status') === 'served'
  const clauses: Clause[] = []
  const faults = frontFaults(path, text)
  let subject = ''
  let isBelowPlanned = false
  for (const [index, line] of text.split('\n').entries()) {
    const place = `${path}:${index + 1}`
    if (line.startsWith('## ')) {
      subject = subjectOf(line)
      isBelowPlanned = false
    } else if (line === PLANNED) isBelowPlanned = true
    if (isTooWide(line)) faults.push(`${place} is wider than ${COLUMNS} columns`)
    if (!IS_RULE.test(line) || IS_HEAD.test(line)) continue
    const mark = RULE.exec(line)?.[1]
    const fault = ruleFault(mark, `${topic}.${subject}.`)
    if (fault !== null) faults.push(`${place} ${fault}`)
    else if (mark !== undefined) clauses.push({ mark, line: index + 1, isServed: isServed && !isBelowPlanned })
  }
  return { path, isServed, clauses, faults }
}
