import { z } from 'zod'
import type { DeviceNetwork } from '../devices/network.ts'
import type { ServedMedia } from '../media/served-media.ts'
import { readHistory, toPeerMessage } from './message-body.ts'
import { readNumber } from './read.ts'
import { refusing } from './refusal.ts'
import { json, readBody, type Route } from './router.ts'

const groupSchema = z.object({
  id: z
    .string()
    .regex(/^[\w.-]+@g\.us$/)
    .optional(),
  name: z.string().min(1),
  participants: z.array(z.string()).default([]),
})
const newsletterSchema = z.object({
  id: z
    .string()
    .regex(/^[\w.-]+@newsletter$/)
    .optional(),
  name: z.string().min(1),
})

/** Routes that put a gateway number into groups and newsletters, and give it a past. The number need not be linked. */
export function roomRoutes(network: DeviceNetwork, served: ServedMedia): Route[] {
  return [
    {
      method: 'POST',
      path: '/control/devices/:number/groups',
      answer: ({ params, body }) => {
        const { id, name, participants } = readBody(groupSchema, body)
        return json(
          201,
          refusing(() =>
            network.rooms.createGroup(readNumber(params['number']), name, participants.map(readNumber), id),
          ),
        )
      },
    },
    {
      method: 'POST',
      path: '/control/devices/:number/newsletters',
      answer: ({ params, body }) => {
        const { id, name } = readBody(newsletterSchema, body)
        return json(201, network.rooms.createNewsletter(readNumber(params['number']), name, id))
      },
    },
    {
      method: 'POST',
      path: '/control/devices/:number/history',
      answer: ({ params, body, origin }) => {
        const number = readNumber(params['number'])
        const messages = readHistory(body).map((message) =>
          toPeerMessage(readNumber(message.from), message, served, origin),
        )
        const linked = network.sessionsOf(number).find(({ isOpen }) => isOpen) ?? null
        return json(201, { delivered: network.history.add(number, messages, linked) })
      },
    },
  ]
}
