import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { TenantId } from '../../domain/ids.ts'
import { cardPictureIn, keptOrderIn } from '../../domain/kept-order.ts'
import type { MessageFiles } from '../../ports/message-media.ts'
import type { InboxMessage } from '../../ports/stores/inbox-store.ts'
import type { InboxPorts } from './ports.ts'

/** Our choice, ms: the reader of a conversation waits no longer for a picture of another host. */
const PATIENCE_MS = 8_000

type Picture = NonNullable<Awaited<ReturnType<MessageFiles['open']>>>

/**
 * The picture of a card of a carousel that was sent, by the card's place. A picture that was named by its address is
 * fetched as for sending, through the guard and under the same rules, so that no reader's browser asks another host.
 * Refusals: NOT_FOUND (no such card), MEDIA_GONE.
 */
export async function readCardPicture(
  { files }: InboxPorts,
  tenantId: TenantId,
  { numberId, provider, content }: InboxMessage,
  place: number,
): Promise<Outcome<Picture>> {
  const order = content && keptOrderIn(content)
  const source = order && cardPictureIn(order, place)
  if (!source) return fail(refuse('NOT_FOUND', 'The message has no such card'))
  if ('fileId' in source) {
    const file = await files.open(source.fileId)
    return file ? succeed(file) : fail(refuse('MEDIA_GONE', 'The picture of the card is not kept any more'))
  }
  const prepared = await files.prepare(
    { tenantId, numberId, provider, kind: 'image', source, fileName: null },
    AbortSignal.timeout(PATIENCE_MS),
  )
  return prepared.ok
    ? succeed(prepared.media)
    : fail(refuse('MEDIA_GONE', 'The picture of the card can no longer be fetched'))
}
