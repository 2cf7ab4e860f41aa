import { getBinaryNodeChild, S_WHATSAPP_NET } from 'baileys'
import { Refusal } from '../protocol/refusal.ts'
import { rememberRooms } from '../session/room-names.ts'
import { refusalOf } from '../translate-out/failure.ts'
import type { Operations } from './operation.ts'

/** The network's stored query for the channels of an account, which the library does not have. */
const QUERY_ID = '6388546374527196'
const ANSWER = 'xwa2_newsletter_subscribed'

interface Channel {
  readonly id?: string
  readonly thread_metadata?: { readonly name?: { readonly text?: string } }
}

/** `newsletter.list`: the channels that the number owns or follows. */
export const listNewsletters: Operations['newsletter.list'] = async (live) => {
  const { sock } = live
  const answer: unknown = await sock
    .query({
      tag: 'iq',
      attrs: { id: sock.generateMessageTag(), type: 'get', to: S_WHATSAPP_NET, xmlns: 'w:mex' },
      content: [
        { tag: 'query', attrs: { query_id: QUERY_ID }, content: Buffer.from(JSON.stringify({ variables: {} })) },
      ],
    })
    .catch((error: unknown) => {
      throw refusalOf(error)
    })
  const channels = readChannels(
    getBinaryNodeChild(answer as Parameters<typeof getBinaryNodeChild>[0], 'result')?.content,
  )
  rememberRooms(live, channels)
  return channels
}

/** Reads the answer. Throws a Refusal FAILED when it is not of the expected form. */
function readChannels(content: unknown): readonly { readonly id: string; readonly name: string }[] {
  const channels = listIn(content)
  if (!channels) throw new Refusal('FAILED', 'The network gave an answer that cannot be read')
  return channels.flatMap(({ id, thread_metadata: metadata }) => (id ? [{ id, name: metadata?.name?.text ?? '' }] : []))
}

function listIn(content: unknown): readonly Channel[] | null {
  if (!(content instanceof Uint8Array) && typeof content !== 'string') return null
  try {
    const { data } = JSON.parse(Buffer.from(content).toString()) as {
      readonly data?: Readonly<Record<string, unknown>> | null
    }
    const list = data?.[ANSWER]
    return Array.isArray(list) ? (list as Channel[]) : null
  } catch {
    return null
  }
}
