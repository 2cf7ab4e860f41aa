import assert from 'node:assert/strict'
import fc from 'fast-check'
import { newId, type NumberId } from '../../src/domain/ids.ts'
import type { LeaseTimes } from '../../src/domain/lease-times.ts'
import type { Fence, Leases } from '../../src/ports/leases.ts'
import { counted } from '../helpers/size.ts'
import type { MakeLeases } from './world.ts'

const NODES = 3
const NUMBERS = 2
const LASTING = { ttlMs: 600_000, graceMs: 0 }
/** What is taken or renewed with these is over at once. */
const OVER = { ttlMs: -1_000, graceMs: 0 }

/** What is known of the row of a number. */
interface Row {
  /** Null before the first one, and after a release. */
  owner: number | null
  token: number
  isOver: boolean
}

interface Model {
  readonly rows: Row[]
  /** Every fence that a node was ever given. */
  readonly fences: { readonly node: number; readonly number: number; readonly token: number }[]
}

interface Real {
  readonly numbers: readonly NumberId[]
  leases(node: number, times?: Pick<LeaseTimes, 'ttlMs' | 'graceMs'>): Leases
}

type Command = fc.AsyncCommand<Model, Real>
type Run = (model: Model, real: Real) => Promise<void>

function command(text: string, run: Run): Command {
  return { check: () => true, run, toString: () => text }
}

function rowOf(model: Model, number: number): Row {
  const row = model.rows[number]
  if (!row) throw new Error(`there is no number ${number}`)
  return row
}

function idOf({ numbers }: Real, number: number): NumberId {
  return numbers[number] ?? newId('num')
}

function acquire(node: number, number: number, isShort: boolean): Command {
  return command(`node ${node} takes number ${number}${isShort ? ' for no time' : ''}`, async (model, real) => {
    const row = rowOf(model, number)
    const isFree = row.owner === null || row.owner === node || row.isOver
    const fence = await real.leases(node, isShort ? OVER : LASTING).acquire(idOf(real, number))
    assert.deepEqual(fence, isFree ? { numberId: idOf(real, number), token: row.token + 1 } : null)
    if (!isFree) return
    Object.assign(row, { owner: node, token: row.token + 1, isOver: isShort })
    model.fences.push({ node, number, token: row.token })
  })
}

function renew(node: number, isShort: boolean): Command {
  return command(`node ${node} renews${isShort ? ' for no time' : ''}`, async (model, real) => {
    const named = (isOver: boolean) =>
      real.numbers.filter((_, at) => rowOf(model, at).owner === node && rowOf(model, at).isOver === isOver).toSorted()
    const [live, ended] = [named(false), named(true)]
    const { kept, over } = await real.leases(node, isShort ? OVER : LASTING).renew()
    assert.deepEqual([kept.toSorted(), over.toSorted()], [live, ended])
    for (const row of model.rows) if (row.owner === node) row.isOver ||= isShort
  })
}

function reclaim(node: number): Command {
  return command(`node ${node} reclaims all that it ever had`, async (model, real) => {
    const own = model.fences.filter((fence) => fence.node === node)
    const still = own.filter(({ number, token }) => {
      const row = rowOf(model, number)
      return row.owner === node && row.token === token
    })
    const fences = own.map(({ number, token }): Fence => ({ numberId: idOf(real, number), token }))
    const reclaimed = await real.leases(node).reclaim(fences)
    assert.deepEqual(reclaimed.toSorted(), still.map(({ number }) => idOf(real, number)).toSorted())
    for (const { number } of still) rowOf(model, number).isOver = false
  })
}

function release(node: number, which: number): Command {
  return command(`node ${node} releases by its fence ${which}`, async (model, real) => {
    const own = model.fences.filter((fence) => fence.node === node)
    const fence = own[which % Math.max(1, own.length)]
    if (!fence) return
    const row = rowOf(model, fence.number)
    await real.leases(node).release({ numberId: idOf(real, fence.number), token: fence.token })
    if (row.owner === node && row.token === fence.token) row.owner = null
  })
}

/** Whoever asks is told the same. */
const look = command('all look who has the numbers', async (model, real) => {
  for (const [number, row] of model.rows.entries()) {
    const holder = await real.leases(0).ownerOf(idOf(real, number))
    const owner = row.owner === null || row.isOver ? null : real.leases(row.owner).nodeId
    assert.deepEqual(
      holder && { nodeId: holder.nodeId, token: holder.token },
      owner && { nodeId: owner, token: row.token },
    )
  }
})

const node = fc.nat(NODES - 1)
const number = fc.nat(NUMBERS - 1)
const commands = fc.commands(
  [
    fc.tuple(node, number, fc.boolean()).map((words) => acquire(...words)),
    fc.tuple(node, fc.boolean()).map((words) => renew(...words)),
    node.map(reclaim),
    fc.tuple(node, fc.nat(9)).map((words) => release(...words)),
    fc.constant(look),
  ],
  { maxCommands: 40 },
)

/** Rejects unless leases are taken, renewed, reclaimed and released in every order as their model says. */
export async function assertLeaseOrders(makeNumber: () => Promise<NumberId>, makeLeases: MakeLeases): Promise<void> {
  const setUp = async (): Promise<{ model: Model; real: Real }> => {
    const numbers = await Promise.all(Array.from({ length: NUMBERS }, makeNumber))
    const run = newId('node')
    const tokens = await Promise.all(numbers.map((id) => lastToken(makeLeases(`${run} first`, LASTING), id)))
    return {
      model: { rows: tokens.map((token) => ({ owner: null, token, isOver: false })), fences: [] },
      real: { numbers, leases: (of, times = LASTING) => makeLeases(`${run} ${of}`, times) },
    }
  }
  const holds = fc.asyncProperty(commands, async (all) => {
    const world = await setUp()
    await fc.asyncModelRun(() => world, all)
  })
  await fc.assert(holds, { numRuns: counted(60, 10) })
}

/** The token of a free number, which stays free. */
async function lastToken(leases: Leases, numberId: NumberId): Promise<number> {
  const fence = await leases.acquire(numberId)
  if (!fence) throw new Error('the new number is not free')
  await leases.release(fence)
  return fence.token
}
