import { fileIdIn } from '../../../src/domain/file-address.ts'
import type { MessageId } from '../../../src/domain/ids.ts'
import type { MessageContent } from '../../../src/domain/message.ts'
import type { TellMediaKnown } from '../../../src/ports/known-media.ts'
import type { Fence } from '../../../src/ports/leases.ts'
import type { ReceivedMessage } from '../../../src/ports/provider.ts'

export interface SoundPorts {
  readonly fence: Fence
  readonly mediaKnown: TellMediaKnown
}

/** Asks for the length and shape of a sound, once its message is stored; nothing waits for it. */
export function tellSound(
  { mediaKnown, fence: { numberId } }: SoundPorts,
  { messageType }: Pick<ReceivedMessage, 'messageType'>,
  messageId: MessageId,
  { media }: MessageContent,
): void {
  const fileId = messageType === 'audio' ? fileIdIn(media?.url ?? '') : null
  if (fileId !== null) mediaKnown({ numberId, messageId, fileId, sizeBytes: null, sound: null, isUnheard: true })
}
