import type { Outcome } from '../../../src/domain/errors.ts'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import { changeOf } from '../../../src/domain/device-ops.ts'
import type { DeviceOp, DeviceOps } from '../../../src/domain/device-ops.ts'
import type { DeviceAsk, DeviceDirectory } from '../../../src/ports/devices.ts'
import type { Fence } from '../../../src/ports/leases.ts'
import type { ProviderSession } from '../../../src/ports/provider.ts'
import type { MessageInbox } from '../../../src/ports/stores/message-inbox.ts'
import type { EffectTable } from '../../engine/effect-table.ts'
import { persist, persisted, type Persistence } from '../../engine/persist.ts'
import type { Self } from '../../engine/runtime.ts'
import { peersIn } from './decide.ts'
import type { DeviceCommand, DevicesMessage } from './messages.ts'
import type { DevicesEffect } from './state.ts'

const NO_SESSION = refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'The number is not connected')
const NO_DEVICE = refuse('FEATURE_NOT_SUPPORTED', 'The provider of this number does not support this')
const INTERNAL = refuse('INTERNAL', 'Internal error')
const NOT_OWNER = refuse('NOT_OWNER', 'Another node holds the number; try again', undefined, 1)
const LEAVING = refuse('TIMEOUT', 'The number stopped before the device answered; the outcome is unknown')

/** The ports of the facet that asks the device, beside the open session. */
export interface DevicesPorts extends Persistence {
  readonly fence: Fence
  /** Stores what the device changed of messages. */
  readonly messageInbox: Pick<MessageInbox, 'change' | 'name'>
}

/** The mutable state of the facet that asks the device. */
export interface DevicesWorld {
  readonly ports: DevicesPorts
  readonly self: Pick<Self<DevicesMessage | { readonly type: 'Fenced' }>, 'tell' | 'reply'>
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
  void answerOf(world, command)
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

async function answerOf(world: DevicesWorld, command: DeviceCommand): Promise<Outcome<unknown>> {
  const session = world.open?.session ?? null
  if (command.type === 'ReadMessages') {
    return session && command.externalMessageIds.length > 0
      ? session.markRead(command.externalMessageIds)
      : succeed(null)
  }
  if (!session) return fail(NO_SESSION)
  const outcome = await ask(session.devices ?? {}, command)
  if (!outcome.ok) return outcome
  if (command.op === 'checkNumbers') await keepPeers(world, outcome.value as DeviceOps['checkNumbers']['value'])
  return await keepChange(world, command, outcome)
}

/**
 * Stores what the device changed of a message, with its event, before anybody is told that it did: whoever got an
 * answer finds it in the row. A change that cannot be stored is refused, and asked for again is made again.
 */
async function keepChange(
  { ports, self }: DevicesWorld,
  asked: DeviceAsk,
  outcome: Outcome<unknown>,
): Promise<Outcome<unknown>> {
  const change = changeOf(asked, new Date(ports.clock.now()))
  if (change === null) return outcome
  const stored = await persisted(ports, 'store change of message', () => ports.messageInbox.change(ports.fence, change))
  if (!stored.ok) return stored
  if (stored.value !== 'fenced') return outcome
  self.tell({ type: 'Fenced' })
  return fail(NOT_OWNER)
}

/**
 * Stores what an answer names people by, before the asker hears it. An answer whose names cannot be stored is one all
 * the same: the next check tells them again.
 */
async function keepPeers({ ports }: DevicesWorld, checks: DeviceOps['checkNumbers']['value']): Promise<void> {
  const { messageInbox, fence } = ports
  await Promise.all(
    peersIn(checks).map((peer) => persist(ports, 'store name of peer', () => messageInbox.name(fence, peer))),
  )
}

/** Passes an operation on by its type; the port lists them. */
function ask<O extends DeviceOp>(
  devices: Partial<DeviceDirectory>,
  { op, input }: DeviceAsk<O>,
): Promise<Outcome<DeviceOps[O]['value']>> {
  return devices[op]?.(input) ?? Promise.resolve(fail(NO_DEVICE))
}
