/** The result of a check: the rule of the protocol, and what was seen. */
export interface Finding {
  readonly name: string
  /** The rule of the protocol that was checked, with its marks in docs/contract. */
  readonly says: string
  readonly seen: string
  /**
   * `unreached`: a check that this one needs did not hold. `passed`: the engine says that it lacks the feature, as the
   * protocol allows.
   */
  readonly verdict: 'holds' | 'fails' | 'unreached' | 'passed'
}

/** The engine breaks the protocol; the message says what was seen instead. */
export class Unmet extends Error {}

/** The engine says that it lacks the feature, as the protocol allows; the message says how. */
export class NotOffered extends Error {}

/** Any value as one short line. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text
}

/** our choice: this many characters of an engine's words stand in a line of the report. */
const SHOWN_CHARACTERS = 160

const WORDS: Readonly<Record<Finding['verdict'], string>> = {
  holds: 'ok',
  fails: 'FAILS',
  unreached: 'not reached',
  passed: 'passed over',
}

/** The line of one check: verdict, name, the rule, and what was seen. */
export function lineOf({ name, says, seen, verdict }: Finding): string {
  return `${WORDS[verdict].padEnd(12)} ${name.padEnd(22)} ${says}\n${' '.repeat(36)}seen: ${seen}`
}

/** The last line: how many checks have which verdict. */
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

/** Whether every requested check holds, or its feature is not offered. */
export function isSound(findings: readonly Finding[]): boolean {
  return findings.length > 0 && findings.every(({ verdict }) => verdict === 'holds' || verdict === 'passed')
}
