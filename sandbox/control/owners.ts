import { z } from 'zod'
import { ENGINE_CAPABILITIES, SESSION_HEALTH_LEVELS } from '../../src/domain/engine.ts'
import type { DeviceNetwork } from '../devices/network.ts'
import type { ServedMedia } from '../media/served-media.ts'
import { deviceFields, present, toPeerMessage } from './message-body.ts'
import { findDevice, findLinked, readNumber, readPeer } from './read.ts'
import { refusing } from './refusal.ts'
import { json, readBody, type Route } from './router.ts'

const messageSchema = z.object({ to: z.string(), ...deviceFields })
const why = z.string().min(1).nullable().optional()
const healthSchema = z.object({ level: z.enum(SESSION_HEALTH_LEVELS), code: why, text: why })
const engineSchema = z.object({ capabilities: z.array(z.enum(ENGINE_CAPABILITIES)).default([...ENGINE_CAPABILITIES]) })

/**
 * Routes for what the owner of a number does on the phone, and for what the network and the engine say of the number.
 */
export function ownerRoutes(network: DeviceNetwork, served: ServedMedia): Route[] {
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
