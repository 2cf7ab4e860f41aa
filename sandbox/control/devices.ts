import { z } from 'zod'
import { CALL_MEDIA_KINDS } from '../../src/domain/engine.ts'
import type { DeviceNetwork } from '../devices/network.ts'
import type { DeviceSession } from '../devices/session.ts'
import type { ServedMedia } from '../media/served-media.ts'
import { ownerRoutes } from './owners.ts'
import { findDevice, readNumber } from './read.ts'
import { ControlRefusal } from './refusal.ts'
import { json, readBody, type Route } from './router.ts'

function presentDevice(session: DeviceSession) {
  const {
    numberId,
    number,
    state,
    isAttached,
    presence,
    settings,
    unacknowledgedEvents,
    socketsOpened,
    socketsReplaced,
    code,
  } = session
  return {
    numberId,
    number,
    state,
    isAttached,
    presence,
    settings,
    unacknowledgedEvents,
    socketsOpened,
    socketsReplaced,
    qr: code?.qr ?? null,
    pairingCode: code?.pairingCode ?? null,
  }
}

const scanBody = z.object({
  /** our choice: ten minutes at most. */
  holdMs: z.number().int().min(0).max(600_000).nullable().default(null),
  passkey: z.boolean().default(false),
  as: z.string().transform(readNumber).nullable().default(null),
})

/** May be set before a gateway knows the number. */
const mediaBody = z.object({ kind: z.enum(CALL_MEDIA_KINDS) })

function scan(network: DeviceNetwork, number: string, body: unknown): DeviceSession {
  const options = readBody(scanBody, body)
  const session = network.sessionsOf(number).find(({ isScannable }) => isScannable)
  if (!session?.scan(options)) throw new ControlRefusal(409, 'NO_CODE_SHOWN', 'No code is shown for this number')
  return session
}

function expire(network: DeviceNetwork, number: string): DeviceSession {
  const session = network.sessionsOf(number).find(({ code }) => code !== null)
  if (!session?.expire()) throw new ControlRefusal(409, 'NO_CODE_SHOWN', 'No code is shown for this number')
  return session
}

function ban(network: DeviceNetwork, number: string): DeviceSession {
  const session = findDevice(network, number)
  if (!network.ban(session))
    throw new ControlRefusal(409, 'NOT_CONNECTED', 'This number is neither linked to a device nor about to be')
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
export function deviceRoutes(network: DeviceNetwork, served: ServedMedia): Route[] {
  const acts: Record<string, (network: DeviceNetwork, number: string, body: unknown) => DeviceSession> = {
    scan,
    expire,
    drop,
    logout,
    ban,
  }
  return [
    ...ownerRoutes(network, served),
    {
      method: 'GET',
      path: '/control/devices',
      answer: () => json(200, { devices: network.sessions().map(presentDevice) }),
    },
    {
      method: 'GET',
      path: '/control/devices/:number',
      answer: ({ params }) => json(200, presentDevice(findDevice(network, readNumber(params['number'])))),
    },
    {
      method: 'POST',
      path: '/control/devices/:number/media',
      answer: async ({ params, body }) => {
        const number = readNumber(params['number'])
        const { kind } = readBody(mediaBody, body)
        await network.setCallMedia(number, kind)
        return json(200, { number, kind })
      },
    },
    ...Object.entries(acts).map(([name, act]): Route => ({
      method: 'POST',
      path: `/control/devices/:number/${name}`,
      answer: ({ params, body }) => json(200, presentDevice(act(network, readNumber(params['number']), body))),
    })),
  ]
}
