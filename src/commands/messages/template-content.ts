import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import { invalidBody } from '../../domain/fault.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { TemplateFile } from '../../domain/outgoing.ts'
import type { TemplateOrder } from '../../domain/send-order.ts'
import { chooseTemplate } from '../../domain/template-choice.ts'
import { flowIdIn, headerFileKind, lacksFiles, templateMessage } from '../../domain/template-message.ts'
import { checkSendCards, checkValues, keptOrderOf, refusalOfValues } from '../../domain/template-values.ts'
import type { CheckedValues } from '../../domain/template-values.ts'
import type { SeenTemplate } from '../../ports/stores/message-store.ts'
import type { FoundTemplate, StoredTemplate } from '../../ports/stores/template-store.ts'
import { attach } from './attach.ts'
import { flowRefusal, sentFlow } from './flow-content.ts'
import type { MadeContent } from './new-message.ts'
import type { MessagePorts } from './ports.ts'
import { cardFiles, ownFiles } from './template-cards.ts'
import type { MadeFiles } from './template-cards.ts'

/** A template whose values are fit to be sent. */
interface Chosen {
  readonly template: FoundTemplate
  readonly values: CheckedValues
}

const NO_FILES: MadeFiles = { files: [], release: async () => {} }

/**
 * Makes the message of a template: looks it up, then checks values, cards, its Flow and files, in the order of
 * [templates.send.2]. The wording is taken as it is now ([templates.send.3]).
 */
export async function templateContent(
  ports: MessagePorts,
  number: NumberRef,
  order: TemplateOrder,
): Promise<Outcome<MadeContent>> {
  const found = await ports.templates.find(number, order.templateId)
  const chosen = choose(ports, found, order)
  if (!chosen.ok) return chosen
  const unfit = await flowRefusal(ports, number, flowIdIn(chosen.value.template.body))
  if (unfit) return fail(unfit)
  // Files that came with the order are kept once, so their message is not made a second time.
  return contentOf(
    ports,
    number,
    order,
    chosen.value,
    hasOwnFiles(order) ? null : seenOf(chosen.value.template, found, order),
  )
}

function hasOwnFiles({ media, cards }: TemplateOrder): boolean {
  return media !== null || cards.some((card) => card.media)
}

/** What a message relies on; it is compared when the message is accepted. */
function seenOf(
  { id, version }: FoundTemplate,
  found: readonly FoundTemplate[],
  { templateId, language }: TemplateOrder,
): SeenTemplate {
  return { version, languages: language !== null || id === templateId ? null : found.length }
}

/**
 * Makes the message from what this node remembers of the template, which spares the read; what was seen is compared
 * when the message is accepted. Answers null when nothing is remembered, when the send would be refused, or when it has
 * files beside the template's: then the template is read.
 */
export async function recalledContent(
  ports: MessagePorts,
  number: NumberRef,
  order: TemplateOrder,
): Promise<MadeContent | null> {
  const recalled = ports.templates.recall(number, order.templateId)
  if (recalled === null || hasOwnFiles(order)) return null
  const chosen = choose(ports, recalled, order)
  if (!chosen.ok || lacksFiles(chosen.value.template)) return null
  const made = await contentOf(ports, number, order, chosen.value, seenOf(chosen.value.template, recalled, order))
  return made.ok ? made.value : null
}

async function contentOf(
  ports: MessagePorts,
  number: NumberRef,
  order: TemplateOrder,
  chosen: Chosen,
  seen: SeenTemplate | null,
): Promise<Outcome<MadeContent>> {
  const { template, values } = chosen
  const made =
    template.body.carousel === null
      ? await headerFile(ports, number, order, template)
      : await cardFiles(ports, number, template, order.cards)
  if (!made.ok) return made
  const { files, release } = made.value
  const flow = sentFlow(flowIdIn(template.body), order.flow)
  const message = templateMessage({
    template,
    valueOf: values.valueOf,
    files,
    flow: flow && { token: flow.token, data: order.flow?.data ?? null },
  })
  const content = { ...message.content, ...keptOrderOf(order, template, files) }
  return succeed({
    type: 'template',
    content,
    outgoing: message.outgoing,
    template: template.name,
    templateId: template.id,
    seenTemplate: seen,
    flow,
    release,
  })
}

/** Chooses the template that is meant among those found, and checks everything that needs no file. */
function choose({ cardHosts }: MessagePorts, found: readonly FoundTemplate[], order: TemplateOrder): Outcome<Chosen> {
  const one = chooseTemplate(found, order.templateId, order.language)
  if (!one.ok) return one
  const template = one.value
  const values = checkValues(template.body, template, order)
  const refusal =
    refusalOfValues(values) ?? checkSendCards(template.body, order.cards, cardHosts) ?? strayFlow(order, template)
  return refusal ? fail(refusal) : succeed({ template, values })
}

/** Refuses a Flow's values for a template that has no Flow; null when they fit. */
function strayFlow({ flow }: TemplateOrder, { body }: StoredTemplate): Refusal | null {
  return flow && flowIdIn(body) === null ? invalidBody([{ path: 'flow', message: 'the template has no Flow' }]) : null
}

/** Refuses media that do not fit the header of the template; null when they fit. */
function strayMedia({ media }: TemplateOrder, kind: TemplateFile['kind'] | null): Refusal | null {
  if (!media) return null
  if (kind === null) return invalidBody([{ path: 'media', message: 'the header of the template is no file' }])
  return media.kind && media.kind !== kind
    ? invalidBody([{ path: 'mediaType', message: `the header of the template is of type ${kind}` }])
    : null
}

/** The file of the header: the one that came with the order, else the template's own. */
async function headerFile(
  ports: MessagePorts,
  number: NumberRef,
  order: TemplateOrder,
  template: StoredTemplate,
): Promise<Outcome<MadeFiles>> {
  const kind = headerFileKind(template.body)
  const stray = strayMedia(order, kind)
  if (stray) return fail(stray)
  if (kind === null) return succeed(NO_FILES)
  if (!order.media) return templateHeader(ports, number, template, kind)
  const { source: given, fileName } = order.media
  const attached = await attach(ports, number, [{ path: 'media', source: given, kind, fileName }])
  if (!attached.ok) return attached
  const { items, release } = attached.value
  return succeed({ files: items.map(({ source }) => ({ kind, source, fileName, isOwn: true })), release })
}

async function templateHeader(
  ports: MessagePorts,
  number: NumberRef,
  template: StoredTemplate,
  kind: TemplateFile['kind'],
): Promise<Outcome<MadeFiles>> {
  const known = await ownFiles(ports, number, template, ({ header }) => header !== null)
  if (!known.ok) return known
  const { header } = known.value
  if (header === null)
    return fail(
      refuse('TEMPLATE_MEDIA_REQUIRED', `The header of the template ${template.name} needs a file: give media`),
    )
  return succeed({ ...NO_FILES, files: [{ kind, source: { fileId: header }, fileName: null, isOwn: false }] })
}
