import type { DeviceOp, DeviceOps } from '../domain/device-ops.ts'
import type { Outcome } from '../domain/errors.ts'

/** One op with its question. */
export type DeviceAsk<O extends DeviceOp = DeviceOp> = {
  [P in O]: { readonly op: P; readonly input: DeviceOps[P]['input'] }
}[O]

/**
 * Groups, channels, look-ups and verbs on messages: every row of domain/device-ops.ts; a session has those of its kind.
 * Refusals: CHANNEL_INSTANCE_NOT_CONNECTED, NOT_FOUND, VALIDATION (numbers that the device network does not
 * take), DEVICE_NETWORK_ERROR, DEVICE_NETWORK_TIMEOUT.
 */
export type DeviceDirectory = {
  readonly [O in DeviceOp]: (input: DeviceOps[O]['input']) => Promise<Outcome<DeviceOps[O]['value']>>
}
