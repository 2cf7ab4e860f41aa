import { Client as GreatDetailClient } from '@great-detail/whatsapp'
import { WhatsAppClient as KapsoClient } from '@kapso/whatsapp-cloud-api'
import { WhatsAppAPI } from 'whatsapp-api-js'
import {
  ActionContactRequest,
  ActionList,
  Body,
  Contacts,
  Image,
  Interactive,
  ListSection,
  Location,
  Name,
  Phone,
  Reaction,
  Row,
  Template,
  Text,
} from 'whatsapp-api-js/messages'
import type { ClientMessage } from 'whatsapp-api-js/types'

/** Where a client finds the platform, and as whom it speaks. */
export interface Access {
  /** Address before the version. */
  readonly base: string
  readonly version: `v${number}.0`
  readonly token: string
  readonly appSecret: string
  readonly phoneId: string
}

/** What a client library of the platform can do, in one form for all. Sends resolve to the id of the message. */
export interface StockClient {
  text(to: string, body: string, quoted?: string): Promise<string>
  image(to: string, bytes: Uint8Array, caption: string): Promise<string>
  template(to: string, name: string, language: string): Promise<string>
  location(to: string): Promise<string>
  contacts(to: string): Promise<string>
  list(to: string): Promise<string>
  contactRequest(to: string): Promise<string>
  reaction(to: string, messageId: string, emoji: string): Promise<string>
  /** Marks a message read, and shows that an answer is being written. */
  typing(messageId: string): Promise<boolean>
}

const ROWS = [{ id: 'sat', title: 'Saturday' }]
const LIST = {
  type: 'list',
  body: { text: 'When?' },
  action: { button: 'Days', sections: [{ title: 'Days', rows: ROWS }] },
}
const CONTACT_REQUEST = {
  type: 'request_contact_info',
  body: { text: 'Your number?' },
  action: { name: 'request_contact_info' },
}
const PLACE = { latitude: -23.5, longitude: -46.6, name: 'Shop', address: 'Main street' }
const PERSON = { formattedName: 'Ana Souza', firstName: 'Ana', phone: '+5511990000001' }
const PNG = 'image/png'

type Sent = { readonly messages: readonly { readonly id: string }[] }

async function idOf(sent: Promise<unknown>): Promise<string> {
  const answer = (await sent) as Partial<Sent>
  const id = answer.messages?.[0]?.id
  if (id === undefined) throw new Error(`no id in ${JSON.stringify(answer)}`)
  return id
}

function kapso({ base, version, token, phoneId: phoneNumberId }: Access): StockClient {
  const { messages, media } = new KapsoClient({ accessToken: token, baseUrl: base, graphVersion: version })
  const contact = {
    name: { formattedName: PERSON.formattedName, firstName: PERSON.firstName },
    phones: [{ phone: PERSON.phone, type: 'CELL' }],
  }
  return {
    text: (to, body, quoted) =>
      idOf(messages.sendText({ phoneNumberId, to, body, ...(quoted ? { contextMessageId: quoted } : {}) })),
    async image(to, bytes, caption) {
      const file = new Blob([Buffer.from(bytes)], { type: PNG })
      const { id } = await media.upload({ phoneNumberId, type: PNG, file, fileName: 'a.png' })
      return await idOf(messages.sendImage({ phoneNumberId, to, image: { id, caption } }))
    },
    template: (to, name, code) =>
      idOf(messages.sendTemplate({ phoneNumberId, to, template: { name, language: { code } } })),
    location: (to) => idOf(messages.sendLocation({ phoneNumberId, to, location: PLACE })),
    contacts: (to) => idOf(messages.sendContacts({ phoneNumberId, to, contacts: [contact] })),
    list: (to) =>
      idOf(
        messages.sendInteractiveList({
          phoneNumberId,
          to,
          bodyText: 'When?',
          buttonText: 'Days',
          sections: [{ title: 'Days', rows: ROWS }],
        }),
      ),
    contactRequest: (to) => idOf(messages.sendInteractiveRaw({ phoneNumberId, to, interactive: CONTACT_REQUEST })),
    reaction: (to, messageId, emoji) =>
      idOf(messages.sendReaction({ phoneNumberId, to, reaction: { messageId, emoji } })),
    typing: async (messageId) =>
      (await messages.markRead({ phoneNumberId, messageId, typingIndicator: { type: 'text' } })).success,
  }
}

function greatDetail({ base, version, token, phoneId: phoneNumberID }: Access): StockClient {
  const headers = { authorization: `Bearer ${token}` }
  const { message, media } = new GreatDetailClient({ baseUrl: base, graphVersion: version, request: { headers } })
  // Its types of a reaction and of interactive messages lag behind the platform's.
  const send = (content: object) => idOf(message.createMessage({ phoneNumberID, ...content } as never).json())
  const contact = {
    name: { formatted_name: PERSON.formattedName, first_name: PERSON.firstName },
    phones: [{ phone: PERSON.phone, type: 'CELL' }],
  }
  return {
    text: (to, body, quoted) =>
      send({ to, type: 'text', text: { body }, ...(quoted ? { context: { message_id: quoted } } : {}) }),
    async image(to, bytes, caption) {
      const file = new File([Buffer.from(bytes)], 'a.png', { type: PNG })
      const { id } = await media.upload({ phoneNumberID, mimeType: PNG, file }).json()
      return await send({ to, type: 'image', image: { id, caption } })
    },
    template: (to, name, code) => send({ to, type: 'template', template: { name, language: { code } } }),
    location: (to) => send({ to, type: 'location', location: PLACE }),
    contacts: (to) => send({ to, type: 'contacts', contacts: [contact] }),
    list: (to) => send({ to, type: 'interactive', interactive: LIST }),
    contactRequest: (to) => send({ to, type: 'interactive', interactive: CONTACT_REQUEST }),
    reaction: (to, messageId, emoji) => send({ to, type: 'reaction', reaction: { message_id: messageId, emoji } }),
    typing: async (messageId) => {
      const mark = { message_id: messageId, status: 'read', typing_indicator: { type: 'text' } } as const
      return (await message.createStatus({ phoneNumberID, ...mark }).json()).success === true
    },
  }
}

/** It knows one address of the platform, so its way there is what leads elsewhere. */
export function apiJs({ base, version, token, appSecret }: Omit<Access, 'phoneId'>): WhatsAppAPI {
  const elsewhere: typeof fetch = (address, options) =>
    fetch(String(address).replace('https://graph.facebook.com', base), options)
  return new WhatsAppAPI({ token, appSecret, v: version, ponyfill: { fetch: elsewhere } })
}

function whatsappApiJs(access: Access): StockClient {
  const { phoneId } = access
  const api = apiJs(access)
  const send = (to: string, message: ClientMessage, quoted?: string) =>
    idOf(api.sendMessage(phoneId, to, message, quoted))
  return {
    text: (to, body, quoted) => send(to, new Text(body), quoted),
    async image(to, bytes, caption) {
      const form = new FormData()
      form.set('file', new Blob([Buffer.from(bytes)], { type: PNG }), 'a.png')
      const uploaded = await api.uploadMedia(phoneId, form)
      return await send(to, new Image('id' in uploaded ? String(uploaded.id) : '', true, caption))
    },
    template: (to, name, language) => send(to, new Template(name, language)),
    location: (to) => send(to, new Location(PLACE.longitude, PLACE.latitude, PLACE.name, PLACE.address)),
    contacts: (to) =>
      send(to, new Contacts([new Name(PERSON.formattedName, PERSON.firstName), new Phone(PERSON.phone, 'CELL')])),
    list: (to) =>
      send(
        to,
        new Interactive(new ActionList('Days', new ListSection('Days', new Row('sat', 'Saturday'))), new Body('When?')),
      ),
    contactRequest: (to) => send(to, new Interactive(new ActionContactRequest(), new Body('Your number?'))),
    reaction: (to, messageId, emoji) => send(to, new Reaction(messageId, emoji)),
    typing: async (messageId) => {
      const marked = await api.markAsRead(phoneId, messageId, 'text')
      return 'success' in marked && marked.success
    },
  }
}

/** Client libraries as their users install them. */
export const STOCK_CLIENTS: Readonly<Record<string, (access: Access) => StockClient>> = {
  '@kapso/whatsapp-cloud-api': kapso,
  '@great-detail/whatsapp': greatDetail,
  'whatsapp-api-js': whatsappApiJs,
}
