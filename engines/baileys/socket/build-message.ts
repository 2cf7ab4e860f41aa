import { decodeMessageNode, proto, unpadRandomMax16, type WAMessage } from 'baileys'
import type { JournalledMessage } from '../store/journal.ts'

/** The number's own addresses on the network. */
export interface OwnAddresses {
  readonly id: string
  readonly lid: string
}

/**
 * Builds a journalled message as the library would have reported it. Null while parts are missing; those come again,
 * because the network was not told that they arrived. Throws when the bytes are not a message.
 */
export function buildMessage({ parts }: JournalledMessage, own: OwnAddresses): WAMessage | null {
  const [first] = parts
  if (!first || parts.length < first.parts) return null
  const { fullMessage } = decodeMessageNode({ tag: 'message', attrs: { ...first.attrs } }, own.id, own.lid)
  const message = Object.assign(
    {},
    ...parts.map((part) => {
      const decoded = proto.Message.decode(
        part.type === 'plaintext' ? part.plaintext : unpadRandomMax16(part.plaintext),
      )
      return decoded.deviceSentMessage?.message ?? decoded
    }),
  ) as proto.IMessage
  return { ...fullMessage, message: proto.Message.fromObject(message) } as WAMessage
}
