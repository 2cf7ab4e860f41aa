import { proto, type AnyMessageContent, type WAMessage } from 'baileys'
import type { BridgeContent } from '../../../src/domain/device-bridge.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { LiveSession } from '../session/live-session.ts'
import { mediaOf, toLibrary } from '../translate-out/content.ts'
import { addressOf } from './peers.ts'

/** What the gateway wants said, in the library's words. */
export interface Composed {
  readonly jid: string
  readonly content: AnyMessageContent
  /** Options of `generateWAMessage` beside the message id and upload. */
  readonly options: { readonly quoted?: WAMessage }
  /** Removes what was fetched for it; called once the message is made, or could not be. */
  readonly dispose: () => Promise<void>
}

/** Composes a message to send: looks up its reader, fetches its file. Throws a Refusal where it cannot be said. */
export async function compose(
  live: LiveSession,
  to: string,
  content: BridgeContent,
  quoted: string | undefined,
): Promise<Composed> {
  const jid = await addressOf(live, to)
  const media = mediaOf(content)
  const fetched = media && (await live.media.fetch(media.url))
  const dispose = (): Promise<void> => fetched?.remove() ?? Promise.resolve()
  const file = media
    && fetched && {
      path: fetched.path,
      mimeType: media.mimeType,
      fileName: media.fileName ?? null,
      voice: media.voice === true,
      waveform: media.waveform ?? null,
    }
  const outgoing = toLibrary(content, { file, keyOf: (id) => messageOf(live, id)?.key ?? null })
  if (!outgoing.ok) {
    await dispose()
    throw new Refusal(outgoing.code, outgoing.message)
  }
  const quotedMessage = quoted === undefined ? null : messageOf(live, quoted)
  return { jid, content: outgoing.content, options: quotedMessage ? { quoted: quotedMessage } : {}, dispose }
}

/**
 * A message as the library quotes it: one of ours whole, one of others by its words. Null when it is not known here: it
 * goes without (our choice).
 */
function messageOf(live: LiveSession, externalId: string): WAMessage | null {
  const seen = live.store.seen.find(externalId)
  if (seen)
    return {
      key: { ...seen.key, participant: seen.key.participant ?? undefined } as WAMessage['key'],
      message: { conversation: seen.text },
    }
  const own = live.store.outgoing.byExternalId(externalId)
  return (
    own && { key: { remoteJid: own.jid, fromMe: true, id: externalId }, message: proto.Message.decode(own.message) }
  )
}
