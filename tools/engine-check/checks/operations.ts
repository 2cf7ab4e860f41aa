import { z } from 'zod'
import type { BridgeOp, BridgeOps } from '../../../src/domain/device-bridge.ts'
import { SETTINGS } from '../engine-end.ts'
import { shown, Unmet } from '../finding.ts'
import type { World } from '../world.ts'
import { WITH_NUMBER, WITH_PEER, type CheckRow } from './row.ts'

const text = z.string().min(1)
const ROOMS = z.array(z.object({ id: text, name: z.string() }))
const CHECKED = z.array(z.object({ input: text, exists: z.boolean(), number: text.nullable(), name: text.nullable() }))
const CALLS = z.array(
  z.object({ callId: text, callRef: text.nullable(), state: z.enum(['RINGING', 'CONNECTED', 'ENDED']) }),
)

/** A result that has to have this form; an engine may lack the op. */
async function optional<T>(
  world: World,
  op: BridgeOp,
  fields: BridgeOps[BridgeOp]['fields'],
  shape: z.ZodType<T>,
): Promise<T> {
  const end = await world.open()
  const result = await end.result(op, fields as never, true)
  const parsed = shape.safeParse(result)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Unmet(
    `${shown(result)}: ${issue?.path.join('.') || 'result'}: ${issue?.message ?? 'is not as it should be'}`,
  )
}

function listRow(op: 'group.list' | 'newsletter.list', suffix: string): CheckRow {
  return {
    name: op,
    says: `${op} answers [{id, name}], or UNSUPPORTED (8).`,
    needs: ['pair.open'],
    asked: WITH_NUMBER,
    async look(world) {
      const rooms = await optional(world, op, {}, ROOMS)
      const stray = rooms.find(({ id }) => !id.endsWith(suffix))
      if (stray) throw new Unmet(`an id without ${suffix}: ${shown(stray.id)}`)
      return `${rooms.length} listed`
    },
  }
}

/** Settings, and what a session can be asked. */
export const OPERATIONS: readonly CheckRow[] = [
  {
    name: 'settings.set',
    says: 'settings.set takes new settings while the session is open (8).',
    needs: ['pair.open'],
    asked: WITH_NUMBER,
    async look(world) {
      const end = await world.open()
      await end.result('settings.set', { settings: { ...SETTINGS, ignoreGroups: true } })
      await end.result('settings.set', { settings: SETTINGS })
      return 'taken, and set back'
    },
  },
  listRow('group.list', '@g.us'),
  listRow('newsletter.list', '@newsletter'),
  {
    name: 'calls.list',
    says: 'calls.list answers [{callId, callRef, state}], or UNSUPPORTED (20).',
    needs: ['pair.open'],
    asked: WITH_NUMBER,
    look: async (world) => `${(await optional(world, 'calls.list', {}, CALLS)).length} listed`,
  },
  {
    name: 'number.check',
    says: 'number.check answers [{input, exists, number, name}], one for each number asked about (8).',
    needs: ['pair.open'],
    asked: WITH_PEER,
    async look(world) {
      const peer = world.options.peer ?? ''
      const checked = await optional(world, 'number.check', { numbers: [peer] }, CHECKED)
      const [one] = checked
      if (checked.length !== 1 || one?.input !== peer) throw new Unmet(shown(checked))
      if (!one.exists) throw new Unmet(`the peer does not exist: ${shown(one)}`)
      return `exists${one.name === null ? '' : `, as ${shown(one.name)}`}`
    },
  },
]
