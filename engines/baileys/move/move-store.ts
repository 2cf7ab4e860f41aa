import { StartFault } from '../process/config.ts'
import { endInterrupted, interrupted } from './marks.ts'
import { moveNumber } from './move-number.ts'
import { NumberFault, type Place } from './place.ts'
import { type Planned, planOf, type Verdict } from './plan.ts'
import { createProgress, type Progress } from './progress.ts'
import { deleteNumber } from './rows.ts'

export interface MoveWorld {
  readonly from: Place
  readonly to: Place
  /** Numbers whose rows in `from` may be deleted when `to` has them linked. */
  readonly dropped: readonly string[]
  readonly print: (line: string) => void
  /** Ms since the epoch. */
  readonly now: () => number
}

/**
 * Carries all numbers of one place to the other, first ending what was interrupted. Resolves to the numbers that
 * stayed, each of which was said with what to do. Throws a StartFault before anything moves when that cannot be.
 */
export async function moveStore(world: MoveWorld): Promise<readonly string[]> {
  const { from, to, print, now } = world
  const open = await interrupted([from, to])
  if (open.length > 0) print(`ending the move of ${open.join(', ')}, which was interrupted`)
  await endInterrupted(from, to)
  const plan = await planned(world)
  const moving = plan.filter(({ verdict }) => verdict === 'move')
  const began = now()
  const progress = createProgress({ numbers: moving.length, rows: rowsOf(moving), print, now })
  print(`moving ${counted(moving)} from ${from.name} to ${to.name}`)
  const stayed: string[] = []
  for (const number of plan) {
    const why = await carryOut(world, number, progress)
    if (why === null) continue
    stayed.push(number.numberId)
    print(`${number.numberId} stays: ${why}`)
  }
  print(`${progress.line().replace(/, [^,]+ left$/, '')}, in ${Math.ceil((now() - began) / 1_000)} s`)
  return stayed
}

/** Says what a move would do, and does nothing. Resolves to the numbers that would stay. */
export async function rehearse(world: MoveWorld): Promise<readonly string[]> {
  const { from, to, print } = world
  const open = new Set(await interrupted([from, to]))
  for (const numberId of open) print(`${numberId}: its move was interrupted, and would be ended`)
  const plan = (await planned(world)).filter(({ numberId }) => !open.has(numberId))
  for (const { numberId, verdict, isLinked, rows } of plan)
    print(`${numberId}: ${isLinked ? 'linked' : 'not linked'}, ${rows} rows: ${inWords(verdict, from, to, numberId)}`)
  print(`would move ${counted(plan.filter(({ verdict }) => verdict === 'move'))} from ${from.name} to ${to.name}`)
  return plan.filter(({ verdict }) => verdict === 'linked there').map(({ numberId }) => numberId)
}

async function planned({ from, to, dropped }: MoveWorld): Promise<readonly Planned[]> {
  const plan = await planOf(from, to, new Set(dropped))
  const idle = dropped.filter((id) => !plan.some(({ numberId, verdict }) => numberId === id && verdict === 'drop'))
  if (idle.length > 0)
    throw new StartFault(`--drop ${idle.join(', ')}: only a number that both places have, linked in ${to.name}, can go`)
  return plan
}

/** Resolves to why the number stays; null when it does not. */
async function carryOut(
  { from, to }: MoveWorld,
  { numberId, verdict }: Planned,
  progress: Progress,
): Promise<string | null> {
  if (verdict === 'linked there') return inWords(verdict, from, to, numberId)
  try {
    if (verdict === 'drop') {
      await drop(from, numberId)
      return null
    }
    await moveNumber(from, to, numberId, progress.rows)
    progress.number()
    return null
  } catch (error) {
    if (error instanceof NumberFault) return error.message
    throw error
  }
}

async function drop(from: Place, numberId: string): Promise<void> {
  await from.transaction(async () => {
    await from.hold(numberId)
    await deleteNumber(from, numberId)
  })
}

function inWords(verdict: Verdict, from: Place, to: Place, numberId: string): string {
  switch (verdict) {
    case 'move':
      return 'moves'
    case 'drop':
      return `is deleted in ${from.name}, since it is linked in ${to.name}`
    case 'linked there':
      return `it is linked in ${to.name} too, and nothing there is overwritten; where that one is the one in use, run this again with --drop ${numberId}; else unlink that one, and run this again`
  }
}

function rowsOf(plan: readonly Planned[]): number {
  return plan.reduce((total, { rows }) => total + rows, 0)
}

function counted(plan: readonly Planned[]): string {
  return `${plan.length} ${plan.length === 1 ? 'number' : 'numbers'} (${rowsOf(plan)} rows)`
}
