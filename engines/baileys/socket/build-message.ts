import { decodeMessageNode, proto, unpadRandomMax16, type WAMessage } from 'baileys'
import type { JournalledMessage } from '../store/journal.ts'

/** Who the number is on the network. */
export interface OwnAddresses {
  readonly id: string
  readonly lid: string
}

/**
 * Builds a journalled message as the library would have told it. Null while parts are missing, which come again because
 * nobody told the network that they arrived. Throws where the bytes are no message.
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
