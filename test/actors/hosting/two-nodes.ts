import { RedisAsks } from '../../../src/cluster/asks-redis.ts'
import { succeed } from '../../../src/domain/errors.ts'
import type { Asked, Asks, NodeAsk } from '../../../src/ports/asks.ts'
import type { NodeId, NumberId } from '../../../src/domain/ids.ts'
import { newId } from '../../../src/domain/ids.ts'
import { MemoryRows } from '../../helpers/memory/rows.ts'
import { silentLog } from '../../helpers/silent.ts'
import { systemClock } from '../../../src/process/clock.ts'
import { TestWire } from '../../helpers/test-wire.ts'
import { connectedNumber, createRig } from '../rig.ts'
import type { Rig } from '../rig.ts'

/** Two nodes over the same rows that can reach each other. The first one holds a number with an open session. */
export async function twoNodes() {
  const rows = new MemoryRows()
  const wire = new TestWire()
  const make = async () => {
    const nodeId = newId('node')
    const asks = await RedisAsks.open({
      wire,
      prefix: '',
      nodeId,
      secret: 'x'.repeat(32),
      clock: systemClock,
      log: silentLog,
    })
    return createRig({ rows, asks, nodeId })
  }
  const owner = await make()
  const numberId = await connectedNumber(owner)
  const other = await make()
  return { rows, wire, owner, other, numberId }
}

/** Asks to other nodes, answered in the order that the test gives. The last answer repeats. */
export class ScriptedAsks implements Asks {
  readonly asked: { readonly nodeId: NodeId; readonly ask: NodeAsk }[] = []
  answers: readonly Asked[]

  constructor(...answers: readonly Asked[]) {
    this.answers = answers
  }

  async ask(nodeId: NodeId, ask: NodeAsk): Promise<Asked> {
    this.asked.push({ nodeId, ask })
    return this.answers[Math.min(this.asked.length, this.answers.length) - 1] ?? { kind: 'absent' }
  }

  serve(): void {}
}

/** A node and a number whose lease names another node, which does not exist beyond that name. */
export function besideNamed(...answers: readonly Asked[]): { rig: Rig; asks: ScriptedAsks; numberId: NumberId } {
  const asks = new ScriptedAsks(...answers)
  const rig = createRig({ asks })
  const numberId = rig.rows.addNumber({ credentials: 'blob' })
  rig.rows.leases.set(numberId, { owner: 'node_other', token: 7 })
  return { rig, asks, numberId }
}

/** A number whose node received the ask and then stopped running. `thaw` lets that node answer. */
export function besideFrozen() {
  const answered = Promise.withResolvers<Asked>()
  const beside = besideNamed()
  const asked: NodeId[] = []
  const withinMs: number[] = []
  beside.asks.ask = async (nodeId, ask) => {
    asked.push(nodeId)
    withinMs.push(ask.withinMs)
    return nodeId === 'node_other' ? await answered.promise : { kind: 'answered', outcome: succeed([]) }
  }
  return { ...beside, asked, withinMs, thaw: answered.resolve }
}
