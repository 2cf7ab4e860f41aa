/** our choice: most lists of commits show a subject of this many characters in full. */
export const LONGEST_SUBJECT = 72

/** our choice: the types of the Conventional Commits convention that this repository uses. */
export const TYPES = ['feat', 'fix', 'perf', 'refactor', 'test', 'docs', 'bench', 'style', 'build', 'chore'] as const

const FORM = new RegExp(`^(${TYPES.join('|')})(\\([a-z0-9-]+\\))?!?: \\S`)
/** Git writes these subjects itself; a later rebase folds or drops commits with the last two. */
const MADE_BY_GIT = /^(Merge|Revert|fixup!|squash!) ?/

/** The faults of a commit message, one sentence each; an empty list when there are none. */
export function faultsOf(message: string): string[] {
  const [subject = '', second = ''] = linesOf(message)
  if (MADE_BY_GIT.test(subject)) return []
  const faults: string[] = []
  if (!FORM.test(subject)) {
    faults.push(`The subject has the form "type(scope): what changed", where type is one of ${TYPES.join(', ')}.`)
  }
  if (subject.length > LONGEST_SUBJECT) {
    faults.push(`The subject has ${subject.length} characters; it may have ${LONGEST_SUBJECT}.`)
  }
  if (subject.endsWith('.')) faults.push('The subject ends without a full stop.')
  if (second.trim() !== '') faults.push('The second line is empty: it parts the subject from the body.')
  return faults
}

/** The lines of the message without the comments that git adds for the editor. */
function linesOf(message: string): string[] {
  return message.split('\n').filter((line) => !line.startsWith('#'))
}
