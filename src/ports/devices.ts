import type { Outcome } from '../domain/errors.ts'

export interface NumberCheck {
  readonly input: string
  readonly exists: boolean
  /** Digits. */
  readonly number: string | null
  readonly name: string | null
}

export interface GroupSummary {
  readonly id: string
  readonly name: string
}

export interface Group extends GroupSummary {
  readonly participants: readonly { readonly number: string; readonly isAdmin: boolean }[]
}

/**
 * What the device of a number can be asked, and what each answers. The one list of it: HTTP, the actor and drivers are
 * typed by it.
 */
export interface DeviceOps {
  checkNumbers: { input: { readonly numbers: readonly string[] }; value: readonly NumberCheck[] }
  listGroups: { input: Readonly<Record<string, never>>; value: readonly GroupSummary[] }
  createGroup: { input: { readonly subject: string; readonly participants: readonly string[] }; value: Group }
  getGroup: { input: { readonly groupId: string }; value: Group }
  changeParticipants: {
    input: { readonly groupId: string; readonly action: 'add' | 'remove'; readonly participants: readonly string[] }
    value: Group
  }
  listNewsletters: { input: Readonly<Record<string, never>>; value: readonly GroupSummary[] }
}
export type DeviceOp = keyof DeviceOps

/** One op with what it is asked. */
export type DeviceAsk<O extends DeviceOp = DeviceOp> = {
  [P in O]: { readonly op: P; readonly input: DeviceOps[P]['input'] }
}[O]

/**
 * Groups, channels and look-ups; only where the driver declares the capability. Refusals:
 * CHANNEL_INSTANCE_NOT_CONNECTED, NOT_FOUND, VALIDATION (numbers the device network does not take),
 * DEVICE_NETWORK_ERROR, DEVICE_NETWORK_TIMEOUT.
 */
export type DeviceDirectory = {
  readonly [O in DeviceOp]: (input: DeviceOps[O]['input']) => Promise<Outcome<DeviceOps[O]['value']>>
}
