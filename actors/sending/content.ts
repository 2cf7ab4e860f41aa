import type { MediaKind, MediaSource, OutgoingContent, TemplateFile } from '../../src/domain/message.ts'
import type { PreparedMedia } from '../../src/ports/message-media.ts'
import type { SendableContent, SendableMedia } from '../../src/ports/provider.ts'

/** A media that has to be prepared before its message is sent. */
export interface WantedMedia {
  readonly kind: MediaKind
  readonly source: MediaSource
  readonly fileName: string | null
}

function templateMedia({ kind, source, fileName }: TemplateFile): WantedMedia {
  return { kind, source, fileName }
}

/** The media of a message, in order; none of a text. */
export function mediaOf(outgoing: OutgoingContent): WantedMedia[] {
  switch (outgoing.mode) {
    case 'text':
    case 'flow':
      return []
    case 'media':
      return [{ kind: outgoing.kind, source: outgoing.source, fileName: outgoing.fileName }]
    case 'carousel':
      return outgoing.cards.map(({ image }) => ({ kind: 'image', source: image, fileName: null }))
    case 'template':
      return outgoing.files.map(templateMedia)
    case 'composed':
      return outgoing.file ? [templateMedia(outgoing.file)] : []
  }
}

/** Where the one file that reads of the message show comes from; null where they show none. */
export function shownSource(outgoing: OutgoingContent): MediaSource | null {
  switch (outgoing.mode) {
    case 'media':
      return outgoing.source
    case 'composed':
      return outgoing.file?.source ?? null
    // The pictures of cards come in the place of a header.
    case 'template':
      return outgoing.components.some(({ type }) => type === 'carousel') ? null : (outgoing.files[0]?.source ?? null)
    default:
      return null
  }
}

function sendableMedia({ path, mimeType, sizeBytes, fileName, url, waveform }: PreparedMedia): SendableMedia {
  return { path, mimeType, sizeBytes, fileName, url, waveform }
}

/** The message as a driver takes it. `prepared`: one for each of mediaOf, in order. */
export function sendableOf(outgoing: OutgoingContent, prepared: readonly PreparedMedia[]): SendableContent {
  const mediaAt = (index: number) => {
    const media = prepared[index]
    if (!media) throw new RangeError('a media of the message was not prepared')
    return sendableMedia(media)
  }
  switch (outgoing.mode) {
    case 'text':
    case 'flow':
      return outgoing
    case 'media':
      return {
        mode: 'media',
        kind: outgoing.kind,
        media: mediaAt(0),
        caption: outgoing.caption,
        fileName: outgoing.fileName,
      }
    case 'carousel':
      return {
        mode: 'carousel',
        text: outgoing.text,
        cards: outgoing.cards.map(({ text, buttons }, index) => ({ image: mediaAt(index), text, buttons })),
      }
    case 'template':
      return {
        mode: 'template',
        name: outgoing.name,
        language: outgoing.language,
        components: outgoing.components,
        files: outgoing.files.map((_file, index) => mediaAt(index)),
      }
    case 'composed': {
      const { header, body, footer, buttons, file } = outgoing
      return {
        mode: 'composed',
        header,
        body,
        footer,
        buttons,
        file: file && { kind: file.kind, media: mediaAt(0), fileName: file.fileName },
      }
    }
  }
}
