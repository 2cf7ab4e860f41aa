import type { Outcome } from '../../src/domain/errors.ts'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import type { DeviceDirectory, ProviderSession } from '../../src/ports/provider.ts'
import type { DeviceCommand } from './messages.ts'
import type { NumberWorld } from './world.ts'

const NO_SESSION = refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'The number is not connected')
const NO_DEVICE = refuse('FEATURE_NOT_SUPPORTED', 'The provider has no such thing')
const INTERNAL = refuse('INTERNAL', 'Internal error')
const LEAVING = refuse('TIMEOUT', 'The number stopped before the device answered; the outcome is unknown')

/** Asks the device, and answers the asker with what it says. */
export function askDevice(world: NumberWorld, command: DeviceCommand): void {
  const { askId } = command
  world.deviceAsks.add(askId)
  void answerOf(world.open?.session ?? null, command).catch(() => fail(INTERNAL)).then((outcome) => {
    world.deviceAsks.delete(askId)
    world.self.reply(askId, outcome)
  })
}

/** Whoever still waits as the number stops is answered: asked once more of the next actor, the device might do it twice. */
export function refuseDeviceAsks({ deviceAsks, self }: NumberWorld): void {
  for (const askId of deviceAsks) self.reply(askId, fail(LEAVING))
  deviceAsks.clear()
}

async function answerOf(session: ProviderSession | null, command: DeviceCommand): Promise<Outcome<unknown>> {
  if (command.type === 'ReadMessages') {
    return session && command.externalMessageIds.length > 0 ? session.markRead(command.externalMessageIds) : succeed(null)
  }
  if (!session) return fail(NO_SESSION)
  return session.devices ? ask(session.devices, command) : fail(NO_DEVICE)
}

function ask(devices: DeviceDirectory, command: Exclude<DeviceCommand, { type: 'ReadMessages' }>): Promise<Outcome<unknown>> {
  switch (command.type) {
    case 'CheckNumbers':
      return devices.checkNumbers(command.numbers)
    case 'ListGroups':
      return devices.listGroups()
    case 'CreateGroup':
      return devices.createGroup(command.subject, command.participants)
    case 'GetGroup':
      return devices.getGroup(command.groupId)
    case 'ChangeParticipants':
      return devices.changeParticipants(command.groupId, command.action, command.participants)
    case 'ListNewsletters':
      return devices.listNewsletters()
  }
}
