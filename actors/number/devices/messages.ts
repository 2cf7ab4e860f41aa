import type { DeviceAsk } from '../../../src/ports/devices.ts'

/** What a number is asked of its device. */
export type DeviceCommand =
  | ({ readonly type: 'AskDevice'; readonly askId: number } & DeviceAsk)
  | { readonly type: 'ReadMessages'; readonly askId: number; readonly externalMessageIds: readonly string[] }

/** What a number hears of it: the session answered, and so whoever asked was answered. */
export interface DevicesMessage {
  readonly type: 'DeviceAnswered'
  readonly askId: number
}
