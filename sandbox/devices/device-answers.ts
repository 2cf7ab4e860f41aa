import type { DeviceOp, DeviceOps } from '../../src/domain/device-ops.ts'

/** Answers of the network to a linked number, by op; throws BridgeRefusal for what it refuses. */
export type DeviceAnswers<Network> = {
  readonly [O in DeviceOp]: (
    network: Network,
    number: string,
    input: DeviceOps[O]['input'],
  ) => DeviceOps[O]['value'] | Promise<DeviceOps[O]['value']>
}
