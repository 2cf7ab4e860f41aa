import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import { SharedWork } from '../../domain/shared-work.ts'
import { importTemplate } from '../../domain/template-import.ts'
import { lacksFiles } from '../../domain/template-message.ts'
import { isMediaHeader } from '../../domain/template.ts'
import type { MediaHeader, TemplateBody } from '../../domain/template.ts'
import type { UpstreamTemplate } from '../../ports/official/templates.ts'
import type { KeptSample } from '../../ports/template-files.ts'
import type { StoredTemplate, TemplateFileIds } from '../../ports/stores/template-store.ts'
import { isOurs } from './merge.ts'
import type { TemplatePorts } from './ports.ts'
import { readUpstream } from './refresh.ts'
import { templatesOf } from './upstream.ts'

/** The files of a template, ready to be sent. */
export type SampleFilesOf = (number: NumberRef, template: StoredTemplate) => Promise<Outcome<TemplateFileIds>>

const NO_SAMPLE: Refusal = refuse(
  'TEMPLATE_MEDIA_REQUIRED',
  'The sample of this template could not be had from the official platform: give media with the send',
)

/**
 * Makes what fetches the files of an imported template when it is first sent: their addresses are read anew, and the
 * files are kept from then on ([templates.import.8]). Sends at the same time share one fetch.
 */
export function createSampleFiles(ports: TemplatePorts): SampleFilesOf {
  const running = new SharedWork<Outcome<TemplateFileIds>>()
  return (number, template) =>
    lacksFiles(template)
      ? running.join(template.id, () => fetchSamples(ports, number, template))
      : Promise.resolve(succeed(template.files))
}

async function fetchSamples(
  ports: TemplatePorts,
  number: NumberRef,
  template: StoredTemplate,
): Promise<Outcome<TemplateFileIds>> {
  const upstream = await templatesOf(ports, number)
  if (!upstream.ok) return upstream
  const shown = await readUpstream(upstream.value.port, template)
  const body = shown.ok && shown.value && isOurs(template, shown.value) ? shownBody(template, shown.value) : null
  if (body === null) return fail(NO_SAMPLE)
  const kept = await Promise.all(
    wantedOf(body).map(({ kind, url }) =>
      ports.templateFiles.keep({ tenantId: number.tenantId, numberId: number.id }, kind, url, 'UPSTREAM'),
    ),
  )
  const samples = kept.flatMap((one) => (one.ok ? [one.sample] : []))
  if (samples.length < kept.length) {
    await ports.templateFiles.release(samples.map(({ fileId }) => fileId))
    return fail(NO_SAMPLE)
  }
  return store(ports, template, samples)
}

function shownBody({ category }: StoredTemplate, { components, parameterFormat }: UpstreamTemplate): TemplateBody {
  return importTemplate(components, { category, format: parameterFormat, flowIdOf: () => null }).body
}

function wantedOf({ header, carousel }: TemplateBody): { readonly kind: MediaHeader | 'CARD'; readonly url: string }[] {
  if (isMediaHeader(header.type)) return [{ kind: header.type, url: header.url ?? '' }]
  return (carousel?.cards ?? []).map(({ media }) => ({ kind: 'CARD', url: media.url }))
}

/** Makes the row name the files and show their addresses, because upstream's own addresses expire. */
async function store(
  { templates, templateFiles }: TemplatePorts,
  template: StoredTemplate,
  samples: readonly KeptSample[],
): Promise<Outcome<TemplateFileIds>> {
  const isHeader = isMediaHeader(template.body.header.type)
  const ids = samples.map(({ fileId }) => fileId)
  const files: TemplateFileIds = isHeader ? { header: ids[0] ?? null, cards: [] } : { header: null, cards: ids }
  const stored = await templates.change(template.id, (row) =>
    lacksFiles(row) && row.body.carousel?.cards.length === template.body.carousel?.cards.length
      ? { kind: 'CHANGE', patch: { files, body: withAddresses(row.body, samples) } }
      : { kind: 'KEEP' },
  )
  if (stored?.template.files.header === files.header && stored.template.files.cards[0] === files.cards[0])
    return succeed(files)
  await templateFiles.release(ids)
  return stored && !lacksFiles(stored.template) ? succeed(stored.template.files) : fail(NO_SAMPLE)
}

function withAddresses(body: TemplateBody, samples: readonly KeptSample[]): TemplateBody {
  const urlAt = (index: number) => samples[index]?.url ?? ''
  return {
    ...body,
    header: isMediaHeader(body.header.type) ? { type: body.header.type, url: urlAt(0) } : body.header,
    carousel: body.carousel && {
      cards: body.carousel.cards.map((card, index) => ({ ...card, media: { url: urlAt(index) } })),
    },
  }
}
