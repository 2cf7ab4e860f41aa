/** One rule of the contract. */
export interface Clause {
  /** `topic.subject.number`, without brackets. */
  readonly mark: string
  /** From 1. */
  readonly line: number
}

/** A page of `docs/contract`: the rules of one topic. */
export interface Page {
  /** From the root of the repository, with forward slashes. */
  readonly path: string
  /** False of rules that are planned: nothing serves them, so nothing has to cite them. */
  readonly isServed: boolean
  readonly clauses: readonly Clause[]
  /** What is wrong with the page itself, a line each with its place. */
  readonly faults: readonly string[]
}

/** Lines of a page are at most this wide, but for tables and what has no space to break at. */
const COLUMNS = 120
const NAME = '[a-z][a-z0-9-]*'
/** A mark as pages and citations have it. */
export const MARK = new RegExp(String.raw`\[(${NAME}\.${NAME}\.\d+)\]`, 'g')
/** A rule: an item of a list, or a row of a table. */
const RULE = /^(?:- |\| )\[([^\]]+)\] /
const IS_RULE = /^(?:- |\| )/
const IS_HEAD = /^\| mark \|/
const PLANNED = 'Planned: not yet served.'

/** What the front lines of a page say by a name; '' when they do not. */
function saidInFront(text: string, name: string): string {
  const [, front = ''] = /^---\n([^]*?)\n---\n/.exec(text) ?? []
  return new RegExp(`^${name}: (.*)$`, 'm').exec(front)?.[1] ?? ''
}

/** The subject that a heading stands for, which is its anchor. */
function subjectOf(heading: string): string {
  return heading.slice('## '.length).toLowerCase().replaceAll(' ', '-')
}

/** Faults of the front lines: the topic is the file's name, the status one of two, and what is planned says so. */
function frontFaults(path: string, text: string): string[] {
  const status = saidInFront(text, 'status')
  const faults = [
    ...(path.endsWith(`/${saidInFront(text, 'topic')}.md`) ? [] : ['its topic is not the name of the file']),
    ...(status === 'served' || status === 'planned' ? [] : ['its status is neither served nor planned']),
    ...(text.includes(`\n${PLANNED}\n`) === (status === 'planned') ? [] : [`"${PLANNED}" does not fit its status`]),
  ]
  return faults.map((fault) => `${path}: ${fault}`)
}

/** What is wrong with a line that should be a rule; null when nothing is. */
function ruleFault(mark: string | undefined, expected: string): string | null {
  if (mark === undefined) return 'is a rule without a mark'
  if (!mark.startsWith(expected)) return `[${mark}] does not begin with ${expected} as its topic and heading do`
  return /^\d+$/.test(mark.slice(expected.length)) ? null : `[${mark}] does not end in a number`
}

function isTooWide(line: string): boolean {
  return line.length > COLUMNS && !line.startsWith('|') && line.trim().includes(' ')
}

/** Reads a page of the contract. */
export function readPage(path: string, text: string): Page {
  const topic = saidInFront(text, 'topic')
  const clauses: Clause[] = []
  const faults = frontFaults(path, text)
  let subject = ''
  for (const [index, line] of text.split('\n').entries()) {
    const place = `${path}:${index + 1}`
    if (line.startsWith('## ')) subject = subjectOf(line)
    if (isTooWide(line)) faults.push(`${place} is wider than ${COLUMNS} columns`)
    if (!IS_RULE.test(line) || IS_HEAD.test(line)) continue
    const mark = RULE.exec(line)?.[1]
    const fault = ruleFault(mark, `${topic}.${subject}.`)
    if (fault !== null) faults.push(`${place} ${fault}`)
    else if (mark !== undefined) clauses.push({ mark, line: index + 1 })
  }
  return { path, isServed: saidInFront(text, 'status') === 'served', clauses, faults }
}
