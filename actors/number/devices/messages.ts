import type { DeviceAsk } from '../../../src/ports/devices.ts'

/** What a number is asked of its device. */
export type DeviceCommand =
  | { readonly type: 'AskDevice', readonly askId: number } & DeviceAsk
  | { readonly type: 'ReadMessages', readonly askId: number, readonly externalMessageIds: readonly string[] }
