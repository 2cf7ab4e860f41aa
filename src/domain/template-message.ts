import { isFlowId } from './ids.ts'
import type { FlowId } from './ids.ts'
import type { Fields } from './json-fields.ts'
import { NO_CONTENT } from './message.ts'
import type { MessageContent } from './message.ts'
import type { OutgoingContent, PlacedButton, TemplateFile } from './outgoing.ts'
import { NO_MEDIA_ID } from './template-media.ts'
import { renderTemplate } from './template-render.ts'
import type { ValueOf } from './template-render.ts'
import { sendComponentsOf } from './template-send.ts'
import { isMediaHeader, isReviewed } from './template.ts'
import type { Template, TemplateBody, TemplateButton, TemplateParameters } from './template.ts'

/** A template whose values were checked and whose files are at hand: all that its message is made of. */
export interface FilledTemplate {
  readonly template: Pick<Template, 'name' | 'language' | 'officialLanguage' | 'category' | 'source' | 'body'> & {
    readonly parameters: TemplateParameters | null
  }
  readonly valueOf: ValueOf
  /** The file of the header, or those of the cards in their order. */
  readonly files: readonly TemplateFile[]
  /** The data and token of its Flow; null when it has no Flow. */
  readonly flow: FilledFlow | null
}

/** The data and token that a button of type FLOW is sent with. */
export interface FilledFlow {
  readonly token: string
  readonly data: Fields | null
}

/** Gives the service's id of the Flow that a template opens; null when it opens none. */
export function flowIdIn({ buttons }: TemplateBody): FlowId | null {
  const flowId = buttons.find(({ type }) => type === 'FLOW')?.flowId ?? ''
  return isFlowId(flowId) ? flowId : null
}

/** Gives the kind of a header that is a file; null for other headers. */
export function headerFileKind({ header }: TemplateBody): TemplateFile['kind'] | null {
  return isMediaHeader(header.type) ? (header.type.toLowerCase() as Lowercase<typeof header.type>) : null
}

/** True when a message of the template needs a file that it does not have. */
export function lacksFiles({
  body,
  files,
}: {
  readonly body: TemplateBody
  readonly files: { readonly header: unknown; readonly cards: readonly unknown[] }
}): boolean {
  return (
    (headerFileKind(body) !== null && !files.header)
    || (body.carousel?.cards.some((_card, index) => !files.cards[index]) ?? false)
  )
}

const NO_PARAMETERS: TemplateParameters = { format: 'POSITIONAL', header: [], body: [], cards: [] }

/** Makes a button as devices know it; a payment becomes a code that is copied. Null for types that need upstream. */
function placedButton(
  { type, text, url, phone_number: phoneNumber, example }: TemplateButton,
  index: number,
): PlacedButton | null {
  const id = `button_${index + 1}`
  const code = example?.[0] ?? ''
  switch (type) {
    case 'QUICK_REPLY':
      return { type, id, text: text ?? '' }
    case 'URL':
      return { type, id, text: text ?? '', url: url ?? '' }
    case 'PHONE_NUMBER':
      return { type, id, text: text ?? '', phoneNumber: phoneNumber ?? '' }
    // Our choice: without a label, which only upstream would write, the button shows the code.
    case 'COPY_CODE':
    case 'PAYMENT_REQUEST':
      return { type: 'COPY_CODE', id, text: text ?? code, code }
    default:
      return null
  }
}

function officialContent({ template, valueOf, files, flow }: FilledTemplate): OutgoingContent {
  const { name, language, officialLanguage, body, category, parameters } = template
  const [file] = files
  const components = sendComponentsOf(body, {
    category,
    parameters: parameters ?? NO_PARAMETERS,
    valueOf,
    flowOf: () => flow,
    headerMedia: file === undefined || body.carousel !== null ? null : { id: NO_MEDIA_ID, fileName: file.fileName },
    cardMedia: body.carousel === null ? [] : files.map(() => NO_MEDIA_ID),
  })
  return {
    mode: 'template',
    name,
    language: officialLanguage ?? language,
    components,
    files,
    ...(category === 'MARKETING' ? { isMarketing: true } : {}),
  }
}

function localContent(
  { header, body, footer, buttons }: TemplateBody,
  files: readonly TemplateFile[],
): OutgoingContent {
  return {
    mode: 'composed',
    header: header.text ?? null,
    body: body?.text ?? null,
    footer: footer?.text ?? null,
    buttons: buttons.flatMap((button, index) => placedButton(button, index) ?? []),
    file: files[0] ?? null,
  }
}

/** Gives the address where a file can be seen; null for bytes that came along, and for samples of upstream's. */
function addressOf({ source, isOwn }: TemplateFile, { source: of, body }: FilledTemplate['template']): string | null {
  if ('url' in source) return source.url
  return isOwn || isReviewed({ source: of }) ? null : (body.header.url ?? null)
}

/**
 * Makes the message of a template, as reads show it and as it is sent. Both take the present wording, so that later
 * changes of the template leave them alone ([templates.send.3]).
 */
export function templateMessage(filled: FilledTemplate): {
  readonly content: MessageContent
  readonly outgoing: OutgoingContent
} {
  const { template, valueOf, files } = filled
  const rendered = renderTemplate(template.body, template, valueOf)
  const header = template.body.carousel === null ? files[0] : undefined
  // The inbox reads the file by its message, whether it has an address or not.
  const kept = header && 'fileId' in header.source ? { fileId: header.source.fileId } : {}
  const media = header
    ? { id: null, url: addressOf(header, template), mimeType: null, fileName: header.fileName, ...kept }
    : null
  return {
    content: { ...NO_CONTENT, text: rendered.body?.text ?? null, media },
    outgoing: isReviewed(template) ? officialContent(filled) : localContent(rendered, files),
  }
}
