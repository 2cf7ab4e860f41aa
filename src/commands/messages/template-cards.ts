import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { FileId } from '../../domain/ids.ts'
import { MESSAGE_MAX_AGE_MS } from '../../domain/limits.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { TemplateFile } from '../../domain/outgoing.ts'
import type { TemplateCardBody } from '../../domain/send-body.ts'
import type { StoredTemplate, TemplateFileIds } from '../../ports/stores/template-store.ts'
import { cardRefusal } from '../templates/card-refusal.ts'
import type { MessagePorts } from './ports.ts'

/**
 * Our choice, as for bytes that come with other messages: a send can be scheduled a day ahead, and a due message may
 * wait 7 days.
 */
const KEPT_MS = 24 * 3_600_000 + MESSAGE_MAX_AGE_MS

/** The files of a message that is being made. */
export interface MadeFiles {
  /** The file of the header, or those of the cards in their order. */
  readonly files: readonly TemplateFile[]
  /** Releases what was kept for a send that is not accepted. */
  readonly release: () => Promise<void>
}

/** The template's own files; asked for only when those that its row names are not enough. */
export async function ownFiles(
  { sampleFiles }: MessagePorts,
  number: NumberRef,
  template: StoredTemplate,
  isEnough: (files: TemplateFileIds) => boolean,
): Promise<Outcome<TemplateFileIds>> {
  return isEnough(template.files) ? succeed(template.files) : sampleFiles(number, template)
}

/** The pictures of the cards of a carousel: each the send's own, else the template's. */
export async function cardFiles(
  ports: MessagePorts,
  number: NumberRef,
  template: StoredTemplate,
  cards: readonly TemplateCardBody[],
): Promise<Outcome<MadeFiles>> {
  const given = template.body.carousel?.cards.map((_card, index) => cards[index]?.media?.url ?? null) ?? []
  const known = await ownFiles(ports, number, template, (files) =>
    given.every((url, index) => url !== null || Boolean(files.cards[index])),
  )
  if (!known.ok) return known
  const missing = given.findIndex((url, index) => url === null && !known.value.cards[index])
  if (missing >= 0) {
    return fail(
      refuse(
        'TEMPLATE_MEDIA_REQUIRED',
        `Card ${missing + 1} of the template ${template.name} needs a picture: give cards.${missing}.media`,
        { card: missing + 1 },
      ),
    )
  }
  const kept = await keepCards(ports, number, given)
  if (!kept.ok) return kept
  const files = given.flatMap((url, index): TemplateFile[] => {
    const fileId = (url === null ? known.value.cards : kept.value.fileIds)[index]
    return fileId ? [{ kind: 'image', source: { fileId }, fileName: null, isOwn: url !== null }] : []
  })
  return succeed({ files, release: kept.value.release })
}

interface KeptCards {
  /** One for each card; null when the send gave none for it. */
  readonly fileIds: readonly (FileId | null)[]
  readonly release: () => Promise<void>
}

/**
 * Fetches the pictures that came with the send. A refusal leaves none kept; when there are several, that of the first
 * card is answered.
 */
async function keepCards(
  { templateFiles }: MessagePorts,
  { tenantId, id: numberId }: NumberRef,
  urls: readonly (string | null)[],
): Promise<Outcome<KeptCards>> {
  const kept = await Promise.all(
    urls.map(async (url, index): Promise<Outcome<FileId | null>> => {
      if (url === null) return succeed(null)
      const sampling = await templateFiles.keep({ tenantId, numberId, keepMs: KEPT_MS }, 'CARD', url, 'CALLER')
      return sampling.ok
        ? succeed(sampling.sample.fileId)
        : fail(cardRefusal(sampling.problem, index + 1, `cards.${index}.media.url`))
    }),
  )
  const fileIds = kept.map((one) => (one.ok ? one.value : null))
  const release = async () => {
    const own = fileIds.filter((fileId) => fileId !== null)
    if (own.length > 0) await templateFiles.release(own)
  }
  const refused = kept.find((one) => !one.ok)
  if (!refused || refused.ok) return succeed({ fileIds, release })
  await release()
  return refused
}
