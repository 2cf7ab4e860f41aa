import type { DeviceCommand } from './messages.ts'

export type DevicesEffect = { readonly type: 'askDevice', readonly command: DeviceCommand }
