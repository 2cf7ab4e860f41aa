import { PATIENT_DELAYS_MS, persist } from '../persist.ts'
import { numberEvent } from './event-data.ts'
import type { LoadOutcome } from './messages.ts'
import { closeOrphans } from './orphans.ts'
import type { NumberEffect } from './state.ts'
import type { NumberWorld } from './world.ts'

/** Reads the rows and closes what an earlier owner left. */
export async function load(world: NumberWorld): Promise<LoadOutcome> {
  const { ports } = world
  const { numberId } = ports.fence
  const row = await persist(ports, 'load number', () => ports.numbers.load(numberId))
  if (row === null) return { kind: 'failed' }
  if (row.value === null) return { kind: 'missing' }
  const secret = await persist(ports, 'load credentials', () => ports.numbers.credentials(numberId))
  if (secret === null) return { kind: 'failed' }
  const closing = await closeOrphans(ports, 'NODE_LOST', [])
  if (closing.kind !== 'closed') return closing
  world.ackedSeq = secret.value.ackedSeq
  return {
    kind: 'loaded',
    loaded: {
      number: row.value,
      credentials: secret.value.credentials,
      hasDriver: ports.registry.driver(row.value.provider) !== null,
      orphans: closing.externalCallIds,
      resumable: closing.resumable,
    },
  }
}

/** Stores a connection change with its event; the event carries the name as it is now. */
export async function save(world: NumberWorld, effect: NumberEffect & { type: 'save' }): Promise<'applied' | 'fenced' | 'failed'> {
  const { ports } = world
  const ackedSeq = effect.seq === null ? null : world.open?.line.lineWith(effect.seq) ?? null
  const patch = { ...effect.patch, ...(ackedSeq === null ? {} : { ackedSeq }) }
  const result = await persist(ports, 'save connection', async () => {
    const { announce } = effect
    const name = announce ? (await ports.numbers.load(ports.fence.numberId))?.name : undefined
    const events = announce ? [numberEvent(announce.event, { ...announce.number, name: name ?? announce.number.name })] : []
    return ports.numbers.saveConnection(ports.fence, patch, events)
  }, PATIENT_DELAYS_MS)
  if (result === null) return 'failed'
  // A row that is gone is nobody's to own either.
  if (result.value !== 'applied') return 'fenced'
  if (ackedSeq !== null) world.ackedSeq = ackedSeq
  return 'applied'
}
