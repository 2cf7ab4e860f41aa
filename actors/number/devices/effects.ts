import type { Outcome } from '../../../src/domain/errors.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { DeviceOp, DeviceOps } from '../../../src/domain/device-ops.ts'
import type { DeviceAsk, DeviceDirectory } from '../../../src/ports/devices.ts'
import type { ProviderSession } from '../../../src/ports/provider.ts'
import type { EffectTable } from '../../engine/effect-table.ts'
import type { Self } from '../../engine/runtime.ts'
import type { DeviceCommand, DevicesMessage } from './messages.ts'
import type { DevicesEffect } from './state.ts'

const NO_SESSION = refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'The number is not connected')
const NO_DEVICE = refuse('FEATURE_NOT_SUPPORTED', 'The provider of this number does not support this')
const INTERNAL = refuse('INTERNAL', 'Internal error')
const LEAVING = refuse('TIMEOUT', 'The number stopped before the device answered; the outcome is unknown')

/** The mutable state of the facet that asks the device, and the open session, its only port. */
export interface DevicesWorld {
  readonly self: Pick<Self<DevicesMessage>, 'tell' | 'reply'>
  /** Asks that the session has not answered yet. */
  readonly deviceAsks: Set<number>
  readonly open: { readonly session: ProviderSession } | null
}

/** Does the effects of asking the device. */
export const DEVICES_EFFECTS: EffectTable<DevicesEffect, DevicesWorld> = {
  askDevice: (world, { command }) => askDevice(world, command),
}

/** Asks the device, and answers the asker with what it says. */
function askDevice(world: DevicesWorld, command: DeviceCommand): void {
  const { askId } = command
  world.deviceAsks.add(askId)
  void answerOf(world.open?.session ?? null, command)
    .catch(() => fail(INTERNAL))
    .then((outcome) => {
      world.deviceAsks.delete(askId)
      world.self.reply(askId, outcome)
      world.self.tell({ type: 'DeviceAnswered', askId })
    })
}

/**
 * Refuses the asks that are open when the number stops. They are not asked again of the next actor, because the device
 * might then do them twice.
 */
export function refuseDeviceAsks({ deviceAsks, self }: DevicesWorld): void {
  for (const askId of deviceAsks) self.reply(askId, fail(LEAVING))
  deviceAsks.clear()
}

async function answerOf(session: ProviderSession | null, command: DeviceCommand): Promise<Outcome<unknown>> {
  if (command.type === 'ReadMessages') {
    return session && command.externalMessageIds.length > 0
      ? session.markRead(command.externalMessageIds)
      : succeed(null)
  }
  if (!session) return fail(NO_SESSION)
  return session.devices ? ask(session.devices, command) : fail(NO_DEVICE)
}

/** Passes an operation on by its type; the port lists them. */
function ask<O extends DeviceOp>(
  devices: DeviceDirectory,
  { op, input }: DeviceAsk<O>,
): Promise<Outcome<DeviceOps[O]['value']>> {
  return devices[op](input)
}
