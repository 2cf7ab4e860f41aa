import { z } from 'zod'
import type { BridgeOp, BridgeOps } from '../../../src/domain/device-bridge.ts'
import { asWritten, DEVICE_OP_NAMES, DEVICE_OPS } from '../../../src/domain/device-ops.ts'
import type { DeviceOp, DeviceOpRow } from '../../../src/domain/device-ops.ts'
import { SETTINGS } from '../engine-end.ts'
import { shown, Unmet } from '../finding.ts'
import type { World } from '../world.ts'
import { WITH_NUMBER, WITH_PEER, type CheckRow } from './row.ts'

const text = z.string().min(1)
const TYPED = DEVICE_OPS.showTyping.answer()
const CHECKED = DEVICE_OPS.checkNumbers.answer(asWritten)
const CALLS = z.array(
  z.object({ callId: text, callRef: text.nullable(), state: z.enum(['RINGING', 'CONNECTED', 'ENDED']) }),
)

/** Checks the form of a result; the engine may lack the op. */
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

/** How the ids of rooms end. */
const ENDINGS: Readonly<Partial<Record<DeviceOp, string>>> = { listGroups: '@g.us', listNewsletters: '@newsletter' }

/** The names in an answer, as a check states them: `[{id, name}]`. */
function formOf(example: unknown): string {
  return Array.isArray(example) ? `[${formOf(example[0])}]` : `{${Object.keys(example as object).join(', ')}}`
}

/** The check of a listed op that needs only a linked number. */
function deviceRow(op: DeviceOp): CheckRow {
  const { word, rule, answer, example }: DeviceOpRow = DEVICE_OPS[op]
  return {
    name: word,
    says: `${word} answers ${formOf(example.answer)}, or UNSUPPORTED [${rule}].`,
    needs: ['pair.open'],
    asked: WITH_NUMBER,
    async look(world) {
      const answered = await optional(world, DEVICE_OPS[op].word, {}, answer(asWritten))
      if (!Array.isArray(answered)) return shown(answered)
      const ending = ENDINGS[op] ?? ''
      const stray: { id: string } | undefined = answered.find(({ id }) => ending && !id.endsWith(ending))
      if (stray) throw new Unmet(`an id without ${ending}: ${shown(stray.id)}`)
      return `${answered.length} listed`
    },
  }
}

/** The listed ops that only read, and need no arguments. */
const LISTS = DEVICE_OP_NAMES.filter((op) => {
  const { repeat, example } = DEVICE_OPS[op]
  return repeat === 'again' && Object.keys(example.question).length === 0
})

/** Checks of settings, and of the ops of a session. */
export const OPERATIONS: readonly CheckRow[] = [
  {
    name: 'settings.set',
    says: 'settings.set takes new settings while the session is open [bridge.ops.3].',
    needs: ['pair.open'],
    asked: WITH_NUMBER,
    async look(world) {
      const end = await world.open()
      await end.result('settings.set', { settings: { ...SETTINGS, ignoreGroups: true } })
      await end.result('settings.set', { settings: SETTINGS })
      return 'taken, and set back'
    },
  },
  ...LISTS.map(deviceRow),
  {
    name: 'calls.list',
    says: 'calls.list answers [{callId, callRef, state}], or UNSUPPORTED [nodes.calls.8].',
    needs: ['pair.open'],
    asked: WITH_NUMBER,
    look: async (world) => `${(await optional(world, 'calls.list', {}, CALLS)).length} listed`,
  },
  {
    name: 'message.typing',
    says: 'message.typing is answered {}, or with what became of it, or UNSUPPORTED [engines.bridge.13].',
    needs: ['pair.open'],
    asked: WITH_PEER,
    async look(world) {
      const to = world.options.peer ?? ''
      for (const state of ['typing', 'paused'] as const)
        await optional(world, 'message.typing', { to, lastInboundId: null, state }, TYPED)
      return 'shown, and ended'
    },
  },
  {
    name: 'number.check',
    says: 'number.check answers [{input, exists, number, name}], one for each number asked about [bridge.ops.6].',
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
