import type { DeviceAsk } from '../../../src/ports/devices.ts'

/** Commands that a number passes on to its device. */
export type DeviceCommand =
  | ({ readonly type: 'AskDevice'; readonly askId: number } & DeviceAsk)
  | { readonly type: 'ReadMessages'; readonly askId: number; readonly externalMessageIds: readonly string[] }

/** Says that the session answered, so the asker has its answer. */
export interface DevicesMessage {
  readonly type: 'DeviceAnswered'
  readonly askId: number
}
