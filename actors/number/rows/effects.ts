import type { ProviderRegistry } from '../../../src/ports/provider.ts'
import type { NumberStore } from '../../../src/ports/stores/number-store.ts'
import type { EffectTable } from '../../engine/effect-table.ts'
import { PATIENT_DELAYS_MS, persist, tried } from '../../engine/persist.ts'
import type { Self } from '../../engine/runtime.ts'
import { closeOrphans, type OrphanPorts } from '../calls/orphans.ts'
import { setAside, type AsidePorts, type SettleWorld } from '../settle.ts'
import { numberEvent } from './event-data.ts'
import type { LoadOutcome, RowsMessage, SaveOutcome } from './messages.ts'
import type { RowsEffect } from './state.ts'

/** The ports of the number's own rows. */
export interface RowsPorts extends OrphanPorts, AsidePorts {
  readonly setAside: OrphanPorts['setAside'] & AsidePorts['setAside']
  readonly numbers: Pick<NumberStore, 'load' | 'credentials' | 'saveConnection'>
  readonly registry: ProviderRegistry
}

/** The mutable state of the rows, and what they need of the other facets. */
export interface RowsWorld extends SettleWorld {
  readonly ports: RowsPorts
  readonly self: SettleWorld['self'] & Pick<Self<RowsMessage>, 'tell'>
  /** Highest sequence stored as settled. */
  ackedSeq: number
}

/** Does the effects of the rows. */
export const ROWS_EFFECTS: EffectTable<RowsEffect, RowsWorld> = {
  load(world, { attempt }) {
    void load(world).then((outcome) => world.self.tell({ type: 'Loaded', attempt, outcome }))
  },
  readCredentials({ ports, self }, { attempt, askId }) {
    void persist(ports, 'read credentials', () => ports.numbers.credentials(ports.fence.numberId)).then((read) =>
      self.tell({ type: 'CredentialsRead', attempt, askId, read: read?.value ?? null }),
    )
  },
  save(world, effect) {
    void save(world, effect).then((outcome) => world.self.tell({ type: 'Saved', attempt: effect.attempt, outcome }))
  },
}

/** Reads the rows, and closes the calls that an earlier owner left. */
async function load(world: RowsWorld): Promise<LoadOutcome> {
  const { ports } = world
  const { numberId } = ports.fence
  const row = await persist(ports, 'load number', () => ports.numbers.load(numberId))
  if (row === null) return { kind: 'failed' }
  if (row.value === null) return { kind: 'missing' }
  const secret = await persist(ports, 'load credentials', () => ports.numbers.credentials(numberId))
  if (secret === null) return { kind: 'failed' }
  const hasDriver = ports.registry.driver(row.value.provider) !== null
  const closing = await closeOrphans(ports, 'NODE_LOST', [], hasDriver && secret.value.credentials !== null)
  if (closing.kind !== 'closed') return closing
  world.ackedSeq = secret.value.ackedSeq
  return {
    kind: 'loaded',
    loaded: {
      number: row.value,
      credentials: secret.value.credentials,
      hasDriver,
      orphans: closing.orphans,
      resumable: closing.resumable,
    },
  }
}

/** Stores a change of the connection with its event, which has the current name. */
async function save(world: RowsWorld, effect: RowsEffect & { type: 'save' }): Promise<SaveOutcome> {
  const { ports } = world
  const ackedSeq = effect.seq === null ? null : (world.open?.line.lineWith(effect.seq) ?? null)
  const patch = { ...effect.patch, ...(ackedSeq === null ? {} : { ackedSeq }) }
  const result = await tried(
    ports,
    'save connection',
    async () => {
      const { announce } = effect
      const name = announce ? (await ports.numbers.load(ports.fence.numberId))?.name : undefined
      const events = announce
        ? [numberEvent(announce.event, { ...announce.number, name: name ?? announce.number.name })]
        : []
      return ports.numbers.saveConnection(ports.fence, patch, events)
    },
    PATIENT_DELAYS_MS,
  )
  if (!result.ok) {
    // The number starts again without this event of the engine, which would end it again.
    if (result.fault && effect.seq !== null) await setAside(world, world.open, effect.seq, result.fault)
    return 'failed'
  }
  // A row that is gone has no owner either.
  if (result.value !== 'applied') return 'fenced'
  if (ackedSeq !== null) world.ackedSeq = ackedSeq
  return 'applied'
}
