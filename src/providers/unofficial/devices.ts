import { DEVICE_OP_NAMES, DEVICE_OPS } from '../../domain/device-ops.ts'
import type { DeviceOp, DeviceOps } from '../../domain/device-ops.ts'
import { fail, refuse } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { DeviceDirectory } from '../../ports/devices.ts'
import type { EngineOutcome, EngineRequests } from './engine-requests.ts'

/** Engine codes that blame the numbers asked for. */
const NUMBER_CODES: ReadonlySet<string | undefined> = new Set(['NOT_REGISTERED', 'INVALID'])

/** Asks the engine for every row of domain/device-ops.ts. */
export function deviceDirectory(requests: EngineRequests): DeviceDirectory {
  const asking = (op: DeviceOp) => {
    const { word, repeat, timeoutMs } = DEVICE_OPS[op]
    return async (input: DeviceOps[DeviceOp]['input']) => plain(await requests.ask(word, input, repeat, { timeoutMs }))
  }
  // The types of request and answer derive from the row.
  return Object.fromEntries(DEVICE_OP_NAMES.map((op) => [op, asking(op)])) as unknown as DeviceDirectory
}

/** Our choice: numbers that the engine refuses are the caller's to correct. */
function plain<T>(outcome: EngineOutcome<T>): Outcome<T> {
  if (outcome.ok) return { ok: true, value: outcome.value }
  if (NUMBER_CODES.has(outcome.engineError?.code))
    return fail(
      refuse(
        'VALIDATION',
        'The device network knows one of these numbers as invalid. Check each, with its country code.',
      ),
    )
  return { ok: false, error: outcome.error }
}
