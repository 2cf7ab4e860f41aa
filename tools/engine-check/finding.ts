/** What a check came to: what the protocol says, and what was seen of it. */
export interface Finding {
  readonly name: string
  /** What the protocol says, with the section of the contract in brackets. */
  readonly says: string
  readonly seen: string
  /**
   * `unreached`: what it stands on did not hold. `passed`: the engine says that it does not do this at all, as the
   * protocol lets it.
   */
  readonly verdict: 'holds' | 'fails' | 'unreached' | 'passed'
}

/** The engine does not do what the protocol says; the message tells what was seen instead. */
export class Unmet extends Error {}

/** The engine says that it does not do this, as the protocol lets it; the message tells how. */
export class NotOffered extends Error {}

/** Anything in a line of its own: short, and never with line breaks. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text
}

/** our choice: so much of what an engine said stands in a line of the report. */
const SHOWN_CHARACTERS = 160

const WORDS: Readonly<Record<Finding['verdict'], string>> = {
  holds: 'ok',
  fails: 'FAILS',
  unreached: 'not reached',
  passed: 'passed over',
}

/** The line of one check: its verdict and name, what the protocol says, what was seen. */
export function lineOf({ name, says, seen, verdict }: Finding): string {
  return `${WORDS[verdict].padEnd(12)} ${name.padEnd(22)} ${says}\n${' '.repeat(36)}seen: ${seen}`
}

/** The last line: how many of what. */
export function summaryOf(findings: readonly Finding[], notAsked: readonly string[]): string {
  const count = (verdict: Finding['verdict']): number =>
    findings.filter((finding) => finding.verdict === verdict).length
  const parts = [
    `${count('holds')} hold`,
    `${count('fails')} fail`,
    `${count('unreached')} not reached`,
    `${count('passed')} passed over`,
    ...(notAsked.length > 0 ? [`not asked for: ${notAsked.join(', ')}`] : []),
  ]
  return parts.join(', ')
}

/** Everything that was asked for holds, or is not offered. */
export function isSound(findings: readonly Finding[]): boolean {
  return findings.length > 0 && findings.every(({ verdict }) => verdict === 'holds' || verdict === 'passed')
}
