import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { FileId } from '../../domain/ids.ts'
import type { NumberRef } from '../../domain/number.ts'
import { isMediaHeader, isReviewed } from '../../domain/template.ts'
import type { MediaHeader, TemplateBody, TemplateSource } from '../../domain/template.ts'
import type { KeptSample, SampleProblem, TemplateFiles } from '../../ports/template-files.ts'
import type { StoredTemplate, TemplateFileIds } from '../../ports/stores/template-store.ts'
import { cardRefusal } from './card-refusal.ts'
import type { TemplatePorts } from './ports.ts'

/** The files of a template once they are fetched, each in its place. */
export interface Samples {
  /** The body as it is stored: bytes that came with it have an address of ours. */
  readonly body: TemplateBody
  readonly header: KeptSample | null
  readonly cards: readonly (KeptSample | null)[]
  readonly ids: TemplateFileIds
  /** Files that no template has yet; they are released unless a template takes them. */
  readonly fresh: readonly FileId[]
}

/** The row that is being edited, whose files may be used again as they are; null when a new template is made. */
export type KnownFiles = Pick<StoredTemplate, 'body' | 'files'> | null

interface Taken {
  readonly sample: KeptSample
  readonly isFresh: boolean
}

/** A file that a template names, and the kept file that it may be. */
interface WantedSample {
  readonly kind: MediaHeader | 'CARD'
  /** The card's place, counted from 1; null for the header. */
  readonly card: number | null
  /** An http(s) address or a data URI. */
  readonly source: string
  /** The file that the row has in its place. */
  readonly known: { readonly url: string | undefined; readonly fileId: FileId | null }
}

/**
 * Makes the check whether an address leads to a kept file: one of our addresses, or one that the row has in any place.
 */
export function keptIn(known: KnownFiles, files: TemplateFiles): (url: string) => boolean {
  const urls = new Set(
    known ? [known.body.header.url, ...(known.body.carousel?.cards ?? []).map(({ media }) => media.url)] : [],
  )
  return (url) => url !== '' && (urls.has(url) || files.fileOf(url) !== null)
}

const APP_ID_NEEDED: Refusal = refuse(
  'OFFICIAL_APP_ID_REQUIRED',
  'Files of templates are uploaded in the name of the app: give the number its officialAppId with PATCH /v1/numbers/{id}',
)

/**
 * Files of templates are uploaded in the name of an app, so a number without app id is refused ([templates.files.1]);
 * null when it is not.
 */
export function appIdRefusal(
  { source, body }: { readonly source: TemplateSource; readonly body: TemplateBody },
  upstream: { readonly hasAppId: boolean } | null,
): Refusal | null {
  const hasFiles = isMediaHeader(body.header.type) || body.carousel !== null
  return isReviewed({ source }) && hasFiles && upstream?.hasAppId === false ? APP_ID_NEEDED : null
}

/**
 * Fetches, checks and keeps the files of a template ([templates.files.2]–[templates.files.5]). A refusal leaves nothing
 * kept.
 */
export async function takeSamples(
  { templateFiles }: TemplatePorts,
  number: NumberRef,
  body: TemplateBody,
  known: KnownFiles,
): Promise<Outcome<Samples>> {
  const wanted = wantedOf(body, known)
  const taken = await Promise.all(wanted.map((one) => take(templateFiles, number, one)))
  const fresh = taken.flatMap((one) => (one.ok && one.value.isFresh ? [one.value.sample.fileId] : []))
  const refused = taken.find((one) => !one.ok)
  if (refused && !refused.ok) {
    await templateFiles.release(fresh)
    return refused
  }
  const samples = taken.flatMap((one) => (one.ok ? [one.value.sample] : []))
  const isHeader = wanted[0]?.card === null
  const header = isHeader ? (samples[0] ?? null) : null
  const cards = isHeader ? [] : samples
  return succeed({
    body: withOwnAddress(body, header),
    header,
    cards,
    ids: { header: header?.fileId ?? null, cards: cards.map(({ fileId }) => fileId) },
    fresh,
  })
}

/** The files to fetch. A template has files in its header or in a carousel, never in both ([templates.checks.23]). */
function wantedOf({ header, carousel }: TemplateBody, known: KnownFiles): WantedSample[] {
  if (isMediaHeader(header.type)) {
    return [
      {
        kind: header.type,
        card: null,
        source: header.url ?? header.base64 ?? '',
        known: { url: known?.body.header.url, fileId: known?.files.header ?? null },
      },
    ]
  }
  return (carousel?.cards ?? []).map(({ media }, index) => {
    // A card that moved keeps its file.
    const at = known?.body.carousel?.cards.findIndex((card) => card.media.url === media.url) ?? -1
    return {
      kind: 'CARD',
      card: index + 1,
      source: media.url,
      known: { url: known?.body.carousel?.cards[at]?.media.url, fileId: known?.files.cards[at] ?? null },
    }
  })
}

async function take(
  files: TemplatePorts['templateFiles'],
  number: NumberRef,
  { kind, card, source, known }: WantedSample,
): Promise<Outcome<Taken>> {
  if (source === known.url && known.fileId !== null) {
    const sample = await files.open(number.tenantId, known.fileId)
    if (sample) return succeed({ sample, isFresh: false })
  }
  const owner = { tenantId: number.tenantId, numberId: number.id }
  const own = files.fileOf(source)
  if (own !== null) {
    const copied = await files.copy(owner, kind, own)
    return copied.ok ? succeed({ sample: copied.sample, isFresh: true }) : fail(refusalOf(copied.problem, card))
  }
  // An address that the row has from upstream is fetched as upstream's, because it may be private where the platform
  // is.
  const kept = await files.keep(owner, kind, source, source === known.url ? 'UPSTREAM' : 'CALLER')
  return kept.ok ? succeed({ sample: kept.sample, isFresh: true }) : fail(refusalOf(kept.problem, card))
}

function withOwnAddress(body: TemplateBody, header: KeptSample | null): TemplateBody {
  if (body.header.base64 === undefined || header === null) return body
  return { ...body, header: { type: body.header.type, url: header.url } }
}

function refusalOf(problem: SampleProblem, card: number | null): Refusal {
  return card === null ? headerRefusal(problem) : cardRefusal(problem, card, `carousel.cards.${card - 1}.media.url`)
}

const HEADER_CODES = {
  FORBIDDEN: 'MEDIA_URL_FORBIDDEN',
  UNREACHABLE: 'MEDIA_DOWNLOAD_FAILED',
  UNSUPPORTED: 'MEDIA_UNSUPPORTED',
  TOO_LARGE: 'MEDIA_TOO_LARGE',
} as const

function headerRefusal({ problem, message, measured, max }: SampleProblem): Refusal {
  return refuse(
    HEADER_CODES[problem],
    `The file of the header: ${message}`,
    problem === 'TOO_LARGE' ? { field: 'header', measured, max } : { field: 'header' },
  )
}
