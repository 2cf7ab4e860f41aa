import type { DeviceCommand } from './messages.ts'

export interface DevicesState {
  /** What the session was asked and has not answered yet, by ask. */
  readonly deviceAsks: ReadonlySet<number>
}

export type DevicesEffect = { readonly type: 'askDevice'; readonly command: DeviceCommand }
