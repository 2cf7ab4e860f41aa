import { z } from 'zod'
import type { Rewriting } from '../rewriting.ts'
import type { Networks } from './calls.ts'
import { ControlRefusal } from './refusal.ts'
import { json, readBody, type ControlAnswer, type ControlRequest, type Route } from './router.ts'

/** Ms since the epoch. */
const timestamp = z.int().min(0).optional()
const editSchema = z.object({ text: z.string(), timestamp })
const revokeSchema = z.object({ timestamp })

/** The writer of a message changes it: a peer on its phone, the number's owner on the number's. */
function rewrite({ network, official }: Networks, id: string, rewriting: Rewriting, at: number | undefined): void {
  if (network.messages.rewrite(id, rewriting, at ?? Date.now(), (numberId) => network.session(numberId))) return
  const { messaging, registry, webhooks, clock } = official
  const message = messaging.users.find(id) ?? messaging.messages.find(id)
  const number = message && (registry.byDigits(message.to) ?? registry.byDigits(message.from))
  if (!message || !number) throw new ControlRefusal(404, 'MESSAGE_NOT_FOUND', 'There is no such message')
  const isSent = webhooks.send(messaging.rewritten(number, message, rewriting, at ?? clock.now()))
  if (!isSent) throw new ControlRefusal(409, 'NOT_SUBSCRIBED', 'Nobody is subscribed to this field of the account')
}

/** Routes that edit and revoke messages, on either network and in either direction. */
export function messageChangeRoutes(networks: Networks): Route[] {
  const route = (path: string, read: (body: unknown) => { rewriting: Rewriting; at: number | undefined }): Route => ({
    method: 'POST',
    path,
    answer: ({ params, body }: ControlRequest): ControlAnswer => {
      const { rewriting, at } = read(body)
      rewrite(networks, params['messageId'] ?? '', rewriting, at)
      return json(202, { isSent: true })
    },
  })
  return [
    route('/control/messages/:messageId/edit', (body) => {
      const { text, timestamp: at } = readBody(editSchema, body)
      return { rewriting: { kind: 'edit', text }, at }
    }),
    route('/control/messages/:messageId/revoke', (body) => ({
      rewriting: { kind: 'revoke' },
      at: readBody(revokeSchema, body).timestamp,
    })),
  ]
}
