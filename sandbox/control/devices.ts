import type { DeviceNetwork } from '../devices/network.ts'
import type { DeviceSession } from '../devices/session.ts'
import { findDevice, readNumber } from './read.ts'
import { ControlRefusal } from './refusal.ts'
import { json, type Route } from './router.ts'

function presentDevice(session: DeviceSession) {
  const { numberId, number, state, isAttached, presence, settings, unacknowledgedEvents, code } = session
  return {
    numberId, number, state, isAttached, presence, settings, unacknowledgedEvents,
    qr: code?.qr ?? null, pairingCode: code?.pairingCode ?? null,
  }
}

function scan(network: DeviceNetwork, number: string): DeviceSession {
  const session = network.sessionsOf(number).find(({ code }) => code !== null)
  if (!session?.scan()) throw new ControlRefusal(409, 'NO_CODE_SHOWN', 'No code is shown for this number')
  return session
}

function drop(network: DeviceNetwork, number: string): DeviceSession {
  const session = network.sessionsOf(number).find(({ isAttached }) => isAttached)
  if (!session?.drop()) throw new ControlRefusal(409, 'NO_SOCKET', 'No gateway is connected for this number')
  return session
}

function logout(network: DeviceNetwork, number: string): DeviceSession {
  const session = findDevice(network, number)
  if (!network.logout(session)) throw new ControlRefusal(409, 'NOT_CONNECTED', 'This number is not linked to a device')
  return session
}

/** Routes that act on the phones of gateway numbers. */
export function deviceRoutes(network: DeviceNetwork): Route[] {
  const acts = { scan, drop, logout }
  return [
    { method: 'GET', path: '/control/devices', answer: () => json(200, { devices: network.sessions().map(presentDevice) }) },
    {
      method: 'GET',
      path: '/control/devices/:number',
      answer: ({ params }) => json(200, presentDevice(findDevice(network, readNumber(params['number'])))),
    },
    ...Object.entries(acts).map(([name, act]): Route => ({
      method: 'POST',
      path: `/control/devices/:number/${name}`,
      answer: ({ params }) => json(200, presentDevice(act(network, readNumber(params['number'])))),
    })),
  ]
}
