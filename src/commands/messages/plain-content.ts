import { succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { keptCarousel, keptText } from '../../domain/kept-order.ts'
import { NO_CONTENT } from '../../domain/message.ts'
import type { MediaSource, MessageMedia } from '../../domain/message.ts'
import type { NumberRef } from '../../domain/number.ts'
import { mediaIn, withSources } from '../../domain/outgoing.ts'
import type { MediaMode, PlainContent } from '../../domain/outgoing.ts'
import type { PlainOrder } from '../../domain/send-order.ts'
import { attach } from './attach.ts'
import type { AttachingFiles, Attachment } from './attach.ts'
import type { MadeContent } from './new-message.ts'

export interface PlainSendDeps {
  readonly files: AttachingFiles
}

/** Makes the message of a send that is no template and no Flow: it goes as ordered, once its media are kept. */
export async function plainContent(
  { files }: PlainSendDeps,
  number: NumberRef,
  order: PlainOrder,
): Promise<Outcome<MadeContent>> {
  const wanted = mediaIn(order).map((media, index) => ({
    ...media,
    path: order.mode === 'carousel' ? `carousel.cards.${index}.image` : 'media',
  }))
  const attached = await attach(files, number, wanted)
  if (!attached.ok) return attached
  const { items, release } = attached.value
  const outgoing = withSources(
    order,
    items.map(({ source }) => source),
  )
  return succeed({
    ...shownOf(outgoing, items),
    outgoing,
    template: null,
    templateId: null,
    seenTemplate: null,
    flow: null,
    release,
  })
}

/** What reads show of it. `items`: its media, in order. */
function shownOf(
  outgoing: PlainContent<MediaSource>,
  [first]: readonly Attachment[],
): Pick<MadeContent, 'type' | 'content'> {
  switch (outgoing.mode) {
    case 'text': {
      const { text, buttons } = outgoing
      // Our choice: a text with buttons is what upstream calls it.
      const type = buttons.length > 0 ? 'interactive' : 'text'
      return { type, content: { ...NO_CONTENT, text, ...keptText(outgoing) } }
    }
    case 'media':
      return {
        type: outgoing.kind === 'voice' ? 'audio' : outgoing.kind,
        content: { ...NO_CONTENT, text: outgoing.caption, media: shownMedia(outgoing, first) },
      }
    case 'carousel':
      return { type: 'carousel', content: { ...NO_CONTENT, text: outgoing.text, ...keptCarousel(outgoing) } }
  }
}

/** Bytes that came along have no address; whoever has the inbox open reads them by the message. */
function shownMedia({ kind, source, fileName }: MediaMode<MediaSource>, kept: Attachment | undefined): MessageMedia {
  const sizeBytes = kept?.sizeBytes ?? null
  return {
    id: null,
    url: 'url' in source ? source.url : null,
    mimeType: kept?.mimeType ?? null,
    fileName,
    ...('fileId' in source ? { fileId: source.fileId, ...(sizeBytes === null ? {} : { sizeBytes }) } : {}),
    ...(kind === 'voice' ? { isVoice: true } : {}),
  }
}
