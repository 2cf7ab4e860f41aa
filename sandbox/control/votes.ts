import { z } from 'zod'
import type { DeviceNetwork } from '../devices/network.ts'
import { readNumber } from './read.ts'
import { ControlRefusal } from './refusal.ts'
import { json, readBody, type Route } from './router.ts'

const voteSchema = z.object({
  /** The network's id of the poll. */
  messageId: z.string().min(1),
  /** The texts of the options chosen; none takes the vote back. */
  options: z.array(z.string()),
  fromName: z.string().nullable().optional(),
  /** Ms since the epoch. */
  timestamp: z.int().min(0).optional(),
})

/** The route by which a peer votes in a poll of a device's number. */
export function voteRoutes(network: DeviceNetwork): Route[] {
  return [
    {
      method: 'POST',
      path: '/control/peers/:peer/votes',
      answer: ({ params, body }) => {
        const { messageId: externalMessageId, ...vote } = readBody(voteSchema, body)
        const poll = network.messages.vote(
          { peer: readNumber(params['peer']), externalMessageId, ...vote },
          (numberId) => network.session(numberId),
        )
        if (!poll)
          throw new ControlRefusal(409, 'NOTHING_TO_VOTE', 'No poll of this id with these options reached this peer')
        return json(202, { isSent: true })
      },
    },
  ]
}
