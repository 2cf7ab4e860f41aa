import { z } from 'zod'
import { fieldsIn, isFields, listIn, own, textIn, type Fields } from '../../src/domain/json-fields.ts'
import type { OfficialSent } from '../official/messages/message-record.ts'
import type { OfficialPlatform } from '../official/platform/platform.ts'
import { readNumber } from './read.ts'
import { ControlRefusal } from './refusal.ts'
import { json, readBody, type ControlAnswer, type ControlRequest, type Route } from './router.ts'

const tapSchema = z.object({
  to: z.string(),
  /** The label of the button, or its place from 0 among the buttons. */
  button: z.union([z.string().min(1), z.int().min(0)]),
  /** The card, from 0. */
  card: z.int().min(0).optional(),
  /** The message, by default the newest of the number. */
  messageId: z.string().optional(),
  fromName: z.string().nullable().optional(),
})

/** A button, and the message that a tap on it sends. */
interface Tappable {
  readonly label: string
  readonly type: 'button' | 'interactive' | 'contacts'
  readonly content: object
}

function cardOf(content: Fields, card: number | undefined): Fields {
  const cards = [...listIn(content, 'cards'), ...listIn(fieldsIn(content, 'action'), 'cards')]
  return card === undefined ? content : (cards[card] ?? {})
}

function ofTemplate(content: Fields, card: number | undefined): Tappable[] {
  return listIn(cardOf(content, card), 'buttons')
    .filter((button) => own(button, 'type') === 'QUICK_REPLY')
    .map((button) => {
      const text = textIn(button, 'text') ?? ''
      return { label: text, type: 'button', content: { payload: textIn(button, 'payload') ?? text, text } }
    })
}

function ofInteractive(content: Fields, card: number | undefined): Tappable[] {
  const action = fieldsIn(cardOf(content, card), 'action')
  const replies = listIn(action, 'buttons').map((button) => ({
    kind: 'button_reply',
    reply: isFields(own(button, 'reply')) ? fieldsIn(button, 'reply') : fieldsIn(button, 'quick_reply'),
  }))
  const rows = listIn(action, 'sections')
    .flatMap((section) => listIn(section, 'rows'))
    .map((row) => ({ kind: 'list_reply', reply: row }))
  return [...replies, ...rows].map(({ kind, reply }) => ({
    label: textIn(reply, 'title') ?? '',
    type: 'interactive',
    content: { type: kind, [kind]: reply },
  }))
}

/** Upstream's label of the button that shares the number, and the card that it sends. */
function ofContactRequest(user: string): Tappable[] {
  const phones = [{ phone: `+${user}`, wa_id: user, type: 'CELL' }]
  const name = { formatted_name: `Peer ${user.slice(-4)}` }
  return [{ label: 'Share contact info', type: 'contacts', content: [{ origin: 'contact_request', name, phones }] }]
}

function tappables({ type, to, content }: OfficialSent, card: number | undefined): Tappable[] {
  if (!isFields(content)) return []
  if (own(content, 'type') === 'request_contact_info') return ofContactRequest(to)
  return type === 'template' ? ofTemplate(content, card) : ofInteractive(content, card)
}

/** A peer taps a button of a message that reached it. */
function tap({ registry, messaging }: OfficialPlatform, { params, body }: ControlRequest): ControlAnswer {
  const { to, button, card, messageId, fromName } = readBody(tapSchema, body)
  const user = readNumber(params['peer'])
  const number = registry.byDigits(readNumber(to))
  if (!number) throw new ControlRefusal(404, 'NUMBER_NOT_FOUND', 'There is no such official number')
  const message = messaging.messages
    .inbox(user)
    .findLast(
      ({ from, externalMessageId }) =>
        from === number.number && (messageId === undefined || externalMessageId === messageId),
    )
  const all = message ? tappables(message, card) : []
  const tapped = typeof button === 'number' ? all[button] : all.find(({ label }) => label === button)
  if (!message || !tapped)
    throw new ControlRefusal(409, 'NOTHING_TO_TAP', 'No message of the number reached this peer that has such a button')
  const { type, content } = tapped
  const { externalMessageId } = messaging.users.receive(number, user, {
    type,
    content,
    fromName,
    quoted: message.externalMessageId,
  })
  return json(201, { externalMessageId })
}

/** Routes that tap buttons of messages of official numbers. */
export function tapRoutes(official: OfficialPlatform): Route[] {
  return [{ method: 'POST', path: '/control/peers/:peer/taps', answer: (request) => tap(official, request) }]
}
