import type { ComponentChildren } from 'preact'
import type { Message } from '../../model/message.ts'
import { useDrawn } from '../context.ts'
import { MessageText } from '../formatted-text.tsx'
import { AudioContent } from './audio-content.tsx'
import { Choices, ContactsContent, InteractiveContent, LocationContent } from './card-contents.tsx'
import { DocumentContent, ImageContent, VideoContent } from './media-contents.tsx'
import { Buttons, Cards } from './sent-parts.tsx'

type Drawing = (message: Message) => ComponentChildren

/** How each message type is drawn; a type that is not listed is drawn as its text, or by its name. */
const DRAWINGS: Readonly<Record<string, Drawing>> = {
  image: (message) => <ImageContent message={message} />,
  sticker: (message) => <ImageContent message={message} isSticker />,
  video: (message) => <VideoContent message={message} />,
  audio: (message) => <AudioContent message={message} />,
  document: (message) => <DocumentContent message={message} />,
  location: (message) => <LocationContent message={message} />,
  contacts: (message) => <ContactsContent message={message} />,
  interactive: (message) => <InteractiveContent message={message} />,
  button: (message) => <InteractiveContent message={message} />,
}

/** The content of a message; `foot` stands after its last words. */
export function Content({ message, foot }: { readonly message: Message; readonly foot: ComponentChildren }) {
  const { words } = useDrawn()
  if (message.revokedAt !== null) return <Gone why={words.message.revoked} foot={foot} />
  if (message.redacted) return <Gone why={words.message.redacted} foot={foot} />
  const draw = Object.hasOwn(DRAWINGS, message.type) ? DRAWINGS[message.type] : undefined
  return (
    <>
      {draw?.(message)}
      {message.header && (
        <p class="sent-header" dir="auto">
          {message.header}
        </p>
      )}
      <div class="said">
        {message.content ? (
          <p>
            <MessageText text={message.content} />
          </p>
        ) : (
          draw === undefined && <p class="aside">{named(message.type, words)}</p>
        )}
        {message.footer && (
          <p class="sent-footer" dir="auto">
            {message.footer}
          </p>
        )}
        {foot}
      </div>
      <Choices of={message.interactive} />
      <Buttons of={message.buttons} />
      <Cards message={message} />
    </>
  )
}

/** Stands in place of content that is gone. */
function Gone({ why, foot }: { readonly why: string; readonly foot: ComponentChildren }) {
  return (
    <div class="said">
      <p class="aside">{why}</p>
      {foot}
    </div>
  )
}

function named(
  type: string,
  words: {
    readonly types: Readonly<Record<string, string>>
    readonly message: { readonly unknown: (type: string) => string }
  },
): string {
  return (Object.hasOwn(words.types, type) ? words.types[type] : undefined) ?? words.message.unknown(type)
}
