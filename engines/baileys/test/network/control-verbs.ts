/** Verbs of the control interface on phones: one entry for each verb, fields as JSON. control.ts lists the routes. */
import { proto } from 'baileys'
import type { Network } from './network.ts'
import type { Phone } from './phone.ts'
import type { AutoReceipt } from './phone-state.ts'
import type { OutgoingMedia } from './phone-media.ts'

export type Fields = Record<string, unknown>

/** The error of a verb that cannot be done; the message says why. */
export class ControlRefusal extends Error {}

/** Gives a text of the body, or says that it is missing. */
export function needed(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string' || value === '') throw new ControlRefusal(`${name} is missing: a text`)
  return value
}

const optional = (fields: Fields, name: string): string | undefined =>
  typeof fields[name] === 'string' ? fields[name] : undefined
const optionsOf = (fields: Fields): { id?: string } => (optional(fields, 'id') ? { id: needed(fields, 'id') } : {})

function mediaOf(fields: Fields): OutgoingMedia {
  const { caption, fileName, seconds } = fields
  return {
    kind: needed(fields, 'kind') as OutgoingMedia['kind'],
    bytes: Buffer.from(needed(fields, 'base64'), 'base64'),
    mimetype: needed(fields, 'mimetype'),
    ...(typeof caption === 'string' ? { caption } : {}),
    ...(typeof fileName === 'string' ? { fileName } : {}),
    ...(typeof seconds === 'number' ? { seconds } : {}),
  }
}

function receivedBy(phone: Phone, id: string) {
  const message = phone.received.findLast((one) => one.id === id)
  if (!message) throw new ControlRefusal('this phone received no message with that id')
  return message
}

function change(phone: Phone, fields: Fields): void {
  if (fields['autoReceipt'] !== undefined) phone.setAutoReceipt(needed(fields, 'autoReceipt') as AutoReceipt)
  if ('autoReply' in fields) phone.setAutoReply(optional(fields, 'autoReply'))
}

type Verb = (phone: Phone, fields: Fields, network: Network) => unknown

const sent = async (id: Promise<string>): Promise<object> => ({ id: await id })

/** Fields in braces; each answers with what is after the colon. */
export const VERBS: Record<string, Verb> = {
  /** {qr} or {pairingCode} : {jid} of the linked device. */
  scan: async (phone, fields) => {
    const code = optional(fields, 'pairingCode')
    return { jid: await (code ? phone.enterCode(code) : phone.scan(needed(fields, 'qr'))) }
  },
  /** Logs all devices out (401). */
  unlink: (phone) => phone.unlink(),
  /** {to, text, id?} : {id}; `to` is digits, a group, a newsletter's id or status@broadcast. */
  text: (phone, fields) => sent(phone.text(needed(fields, 'to'), needed(fields, 'text'), optionsOf(fields))),
  /** {to, message, id?} : {id}; `message` is any message of the protocol as JSON, bytes in base64. */
  send: (phone, fields) =>
    sent(phone.send(needed(fields, 'to'), proto.Message.fromObject(fields['message'] as object), optionsOf(fields))),
  /** {to, kind, base64, mimetype, caption?, fileName?, seconds?} : {id}. */
  media: (phone, fields) => sent(phone.media(needed(fields, 'to'), mediaOf(fields), optionsOf(fields))),
  /** {text} : {id}. */
  story: (phone, fields) => sent(phone.story(needed(fields, 'text'))),
  /** {to, id} : {id} of the revoke. */
  revoke: (phone, fields) => sent(phone.revoke(needed(fields, 'to'), needed(fields, 'id'))),
  /** {to, id, text} : {id} of the edit. */
  edit: (phone, fields) => sent(phone.edit(needed(fields, 'to'), needed(fields, 'id'), needed(fields, 'text'))),
  /** {to, id, emoji, fromMe?} : {id}. */
  react: (phone, fields) =>
    sent(phone.react(needed(fields, 'to'), needed(fields, 'id'), needed(fields, 'emoji'), fields['fromMe'] === true)),
  /** {id, options} : {id}; votes in a received poll, no options take the vote back. */
  vote: (phone, fields) =>
    sent(phone.vote(receivedBy(phone, needed(fields, 'id')), (fields['options'] ?? []) as readonly string[])),
  /** {id}: tells the author of a received message that it was read. */
  read: (phone, fields) => phone.read(receivedBy(phone, needed(fields, 'id'))),
  /** {autoReceipt? none, delivered, read; autoReply? text or null}. */
  settings: change,
  /** {to, video?} : {callId}. */
  call: (phone, fields) => ({ callId: phone.call(needed(fields, 'to'), { video: fields['video'] === true }).id }),
  /** {callId, reason?}; `timeout` unless given: nobody answered. */
  'end-call': (phone, fields) => phone.endCall(needed(fields, 'callId'), optional(fields, 'reason')),
  /** {messages, chats?, batch?, window?, syncType?, hidden?}: answers once the device acknowledged all. */
  history: (phone, fields) => phone.pushHistory({ ...fields, messages: Number(fields['messages'] ?? 0) }),
  /** {numberKnown}: writes by hidden identifier from now on. */
  hide: (phone, fields) => phone.hide({ numberKnown: fields['numberKnown'] === true }),
  reveal: (phone) => phone.revealNumber(),
  /** {to}: shows the number, and the network tells the devices of `to` whose identifier it is. */
  'tell-number': (phone, fields) => phone.tellNumber(needed(fields, 'to')),
  'forget-sessions': (phone) => phone.forgetSessions(),
  /** Cuts the sockets of its linked devices. */
  drop: (phone, _fields, network) => network.drop(phone.number),
  /** {code}: ends them with a close code. */
  close: (phone, fields, network) => network.closeWith(Number(fields['code']), phone.number),
  /** {code? }: refuses what its devices send (463: restricted); without a code no more. */
  'refuse-sends': (phone, fields, network) => {
    const code = optional(fields, 'code')
    if (code) network.faults.refuseSends.set(phone.number, code)
    else network.faults.refuseSends.delete(phone.number)
  },
}

/** Shows a phone and its linked devices. */
export function shownPhone(network: Network, phone: Phone): object {
  return {
    number: phone.number,
    name: phone.account.name,
    lid: phone.account.lid,
    faults: phone.state.faults,
    calls: [...phone.state.calls.values()],
    receipts: phone.state.receipts,
    received: phone.received.length,
    devices: network.devices(phone.number).map(({ pn, connection, mailbox, acknowledged, refused, presence }) => ({
      jid: pn,
      connected: connection !== undefined,
      waiting: mailbox.waiting().length,
      acknowledged: acknowledged.length,
      refused,
      presence,
    })),
  }
}
