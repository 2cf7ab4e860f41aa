import type { DeviceCommand } from './messages.ts'

export interface DevicesState {
  /** The asks that the session has not answered yet. */
  readonly deviceAsks: ReadonlySet<number>
  /** When paced ops were last passed on, by their keys, in ms since the epoch; what is over is left out. */
  readonly pacedAt: ReadonlyMap<string, number>
}

export type DevicesEffect = { readonly type: 'askDevice'; readonly command: DeviceCommand }
