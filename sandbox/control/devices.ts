import { z } from 'zod'
import { ENGINE_CAPABILITIES, SESSION_HEALTH_LEVELS } from '../../src/domain/engine.ts'
import { isLid } from '../../src/domain/identity.ts'
import { CALL_MEDIA_KINDS } from '../../src/domain/call-media.ts'
import type { DeviceNetwork } from '../devices/network.ts'
import { CAPABILITIES, type DeviceSession } from '../devices/session.ts'
import type { ServedMedia } from '../media/served-media.ts'
import { deviceFields, present, toPeerMessage } from './message-body.ts'
import { findDevice, findLinked, readNumber, readPeer } from './read.ts'
import { ControlRefusal, refusing } from './refusal.ts'
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

/** The kind of audio; it may be set before a gateway knows the number. */
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

const messageSchema = z.object({ to: z.string(), ...deviceFields })
const why = z.string().min(1).nullable().optional()
const healthSchema = z.object({ level: z.enum(SESSION_HEALTH_LEVELS), code: why, text: why })
const digits = z.string().transform(readNumber)
/** A person whom the network knows by number and id from now on; `isSilent` keeps the engine from telling so. */
const peerSchema = z.object({
  phone: digits,
  lid: z.string().refine(isLid),
  forms: z.array(digits).default([]),
  isSilent: z.boolean().default(false),
})
const engineSchema = z.object({ capabilities: z.array(z.enum(ENGINE_CAPABILITIES)).default([...CAPABILITIES]) })

/**
 * Routes for what the owner of a number does on the phone, and for what the network and the engine say of the number.
 */
function ownerRoutes(network: DeviceNetwork, served: ServedMedia): Route[] {
  return [
    {
      method: 'POST',
      path: '/control/devices/:number/messages',
      answer: ({ params, body, origin }) => {
        const message = readBody(messageSchema, body)
        const number = readNumber(params['number'])
        const written = toPeerMessage(number, message, served, origin)
        const { externalMessageId } = refusing(() =>
          network.messages.writeElsewhere(findLinked(network, number), readPeer(message.to), written),
        )
        return json(201, { externalMessageId })
      },
    },
    {
      method: 'POST',
      path: '/control/devices/:number/peers',
      answer: ({ params, body }) => {
        const { phone, lid, forms, isSilent } = readBody(peerSchema, body)
        const session = findDevice(network, readNumber(params['number']))
        network.people.note({ phone, lid, forms })
        if (!isSilent) session.emit({ ev: 'session.peer', phone, lid })
        return json(202, { isSent: !isSilent })
      },
    },
    {
      method: 'POST',
      path: '/control/devices/:number/health',
      answer: ({ params, body }) => {
        const health = readBody(healthSchema, body)
        findDevice(network, readNumber(params['number'])).emit({ ev: 'session.health', ...present(health) })
        return json(202, { isSent: true })
      },
    },
    {
      method: 'POST',
      path: '/control/devices/:number/engine',
      answer: ({ params, body }) => {
        const { capabilities } = readBody(engineSchema, body)
        const session = findDevice(network, readNumber(params['number']))
        session.capabilities = capabilities
        return json(200, { capabilities })
      },
    },
  ]
}
