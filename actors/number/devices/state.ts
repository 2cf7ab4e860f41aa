import type { DeviceCommand } from './messages.ts'

export interface DevicesState {
  /** The asks that the session has not answered yet. */
  readonly deviceAsks: ReadonlySet<number>
}

export type DevicesEffect = { readonly type: 'askDevice'; readonly command: DeviceCommand }
