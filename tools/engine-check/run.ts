import { CALLING } from './checks/calling.ts'
import { ENDING } from './checks/ending.ts'
import { HANDSHAKE } from './checks/handshake.ts'
import { OPERATIONS } from './checks/operations.ts'
import { PAIRING } from './checks/pairing.ts'
import { RESUMING } from './checks/resuming.ts'
import type { CheckRow } from './checks/row.ts'
import { RECEIVING, SENDING } from './checks/sending.ts'
import { TAKING_OVER } from './checks/taking-over.ts'
import { NotOffered, Unmet, type Finding } from './finding.ts'
import { World, type WorldParts } from './world.ts'

/** All checks, in the order of a session's life. */
export const CHECKS: readonly CheckRow[] = [
  ...HANDSHAKE,
  ...PAIRING,
  ...RESUMING,
  ...OPERATIONS,
  ...SENDING,
  ...RECEIVING,
  ...CALLING,
  ...TAKING_OVER,
  ...ENDING,
]

export interface Ran {
  readonly findings: readonly Finding[]
  /** Groups of checks that the command line did not ask for, and the options that enable them. */
  readonly notAsked: readonly string[]
}

/** Runs every requested check, and calls `done` after each. Never rejects because of what an engine does. */
export async function runChecks(parts: WorldParts, done: (finding: Finding) => void): Promise<Ran> {
  const world = new World(parts)
  const findings: Finding[] = []
  try {
    for (const row of CHECKS) {
      if (row.asked && !row.asked.isAsked(parts.options)) continue
      const finding = await look(row, world, findings)
      findings.push(finding)
      done(finding)
    }
  } finally {
    world.close()
  }
  return { findings, notAsked: notAskedOf(parts.options) }
}

async function look(
  { name, says, needs = [], look: see }: CheckRow,
  world: World,
  findings: readonly Finding[],
): Promise<Finding> {
  const lacking = needs.filter(
    (need) => !findings.some((finding) => finding.name === need && finding.verdict === 'holds'),
  )
  if (lacking.some((need) => findings.some((finding) => finding.name === need && finding.verdict === 'passed')))
    return { name, says, seen: 'not offered', verdict: 'passed' }
  if (lacking.length > 0)
    return { name, says, seen: `nothing: ${lacking.join(', ')} did not hold`, verdict: 'unreached' }
  try {
    return { name, says, seen: await see(world), verdict: 'holds' }
  } catch (error) {
    if (error instanceof NotOffered) return { name, says, seen: error.message, verdict: 'passed' }
    if (error instanceof Unmet) return { name, says, seen: error.message, verdict: 'fails' }
    throw error
  }
}

function notAskedOf(options: WorldParts['options']): string[] {
  const counts = new Map<string, number>()
  for (const { asked } of CHECKS)
    if (asked && !asked.isAsked(options)) counts.set(asked.by, (counts.get(asked.by) ?? 0) + 1)
  return [...counts].map(([by, count]) => `${count} of ${by}`)
}
