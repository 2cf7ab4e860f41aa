import { generateWAMessage, proto, type MessageGenerationOptions, type WAMessageKey } from 'baileys'
import type { BridgeOps } from '../../../src/domain/device-bridge.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { LiveSession } from '../session/live-session.ts'
import { changeName, externalIdOf } from '../store/outgoing.ts'
import { refusalOf } from '../translate-out/failure.ts'
import { dispatch } from './dispatch.ts'
import { textField, type Fields, type Operations } from './operation.ts'
import { addressOf } from './peers.ts'

/** The network's words for what a message does to an earlier one: attribute `edit` of its stanza. */
const EDIT = '1'
const REVOKE = '7'

/** `message.edit`: gives a message of the number a new text. Asked twice, readers see the same text. */
export const editMessage: Operations['message.edit'] = async (live, fields) => {
  const text = textField(fields, 'text')
  return change(live, fields, EDIT, (key) => ({ text, edit: key }))
}

/** `message.revoke`: takes a message of the number back from everybody. */
export const revokeMessage: Operations['message.revoke'] = (live, fields) =>
  change(live, fields, REVOKE, (key) => ({ delete: key }))

type Change = { readonly text: string; readonly edit: WAMessageKey } | { readonly delete: WAMessageKey }

/** Sends the change. Its row is on the disk before, so that a peer that could not read it may ask for it again. */
async function change(
  live: LiveSession,
  fields: Fields,
  edit: string,
  changeOf: (key: WAMessageKey) => Change,
): Promise<BridgeOps['message.edit']['result']> {
  const id = textField(fields, 'externalMessageId')
  const jid = await chatOf(live, id, fields['to'])
  return live.inSendTurn(async () => {
    const messageId = changeName()
    const externalId = externalIdOf(live.numberId, messageId)
    const { message } = await generateWAMessage(jid, changeOf({ remoteJid: jid, fromMe: true, id }), {
      userJid: live.sock.user?.id ?? '',
      messageId: externalId,
      upload: live.sock.waUploadToServer,
    } as MessageGenerationOptions).catch((error: unknown) => {
      throw refusalOf(error)
    })
    if (!message) throw new Refusal('INVALID', 'the change says nothing')
    const row = { messageId, externalId, jid, message: proto.Message.encode(message).finish() }
    await live.store.outgoing.begin(row)
    if ((await dispatch(live, row, { additionalAttributes: { edit } })) === 'refused')
      throw new Refusal('FAILED', 'The network refused the change', false)
    return {}
  })
}

/**
 * The chat of a message that the number wrote, as it is known here; else the one that the gateway names. Throws a
 * Refusal: NOT_FOUND, INVALID for a message of somebody else, UNSUPPORTED for a post of a channel.
 */
async function chatOf(live: LiveSession, id: string, to: unknown): Promise<string> {
  const seen = (await live.store.seen.find(id))?.key
  if (seen && !seen.fromMe) throw new Refusal('INVALID', 'externalMessageId: somebody else wrote this message')
  const known = (await live.store.outgoing.byExternalId(id))?.jid ?? seen?.remoteJid
  const jid = known ?? (typeof to === 'string' && to !== '' ? await addressOf(live, to) : null)
  if (jid === null) throw new Refusal('NOT_FOUND', 'This message is not known, and no chat is named')
  if (jid.endsWith('@newsletter')) throw new Refusal('UNSUPPORTED', 'Posts of channels are not changed by this engine')
  return jid
}
