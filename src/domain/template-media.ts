import { shownName } from './document-name.ts'
import { fieldsIn, listIn, own, textIn } from './json-fields.ts'
import type { Fields } from './json-fields.ts'
import type { SentMedia } from './template-send.ts'

/** Stands in for the id of a file that the phone does not have yet. */
export const NO_MEDIA_ID = ''

const KINDS = ['image', 'video', 'document'] as const

function isHeader(component: Fields): boolean {
  return own(component, 'type') === 'header'
}

/** Puts a file into its parameter; parameters without a file stay as they are. */
function withFile(parameter: Fields, take: () => SentMedia | null): Fields {
  const kind = KINDS.find((one) => own(parameter, 'type') === one)
  const file = kind === undefined ? null : take()
  if (kind === undefined || file === null) return parameter
  const given = fieldsIn(parameter, kind)
  // A name that came with the send wins over the file's own, as with other documents.
  const name =
    kind === 'document' && file.fileName !== null
      ? { filename: shownName(textIn(given, 'filename'), file.fileName) }
      : {}
  return { ...parameter, [kind]: { ...given, ...name, id: file.id } }
}

/**
 * Puts the ids that upstream gave the files of a template message into its components. `media` lists the header, or the
 * cards in their order.
 */
export function withMedia(components: readonly Fields[], media: readonly SentMedia[]): Fields[] {
  let next = 0
  const take = () => media[next++] ?? null
  const filled = (component: Fields): Fields => {
    if (isHeader(component))
      return { ...component, parameters: listIn(component, 'parameters').map((parameter) => withFile(parameter, take)) }
    if (own(component, 'type') !== 'carousel') return component
    return {
      ...component,
      cards: listIn(component, 'cards').map((card) => ({
        ...card,
        components: listIn(card, 'components').map(filled),
      })),
    }
  }
  return components.map(filled)
}
