import type { DeviceOp, DeviceOps } from '../../src/domain/device-ops.ts'

/** What the network answers a number that is linked, by op; throws BridgeRefusal for what it refuses. */
export type DeviceAnswers<Network> = {
  readonly [O in DeviceOp]: (
    network: Network,
    number: string,
    input: DeviceOps[O]['input'],
  ) => DeviceOps[O]['value'] | Promise<DeviceOps[O]['value']>
}
