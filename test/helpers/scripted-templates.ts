import { newId, newSecretId } from '../../src/domain/ids.ts'
import type { FileId } from '../../src/domain/ids.ts'
import { kindOf } from '../../src/domain/kinds/kinds.ts'
import type { ProviderKind } from '../../src/domain/number.ts'
import { NEVER_APPLIED } from '../../src/domain/template-events.ts'
import { readTemplateBody } from '../../src/domain/template-form.ts'
import { variablesOf } from '../../src/domain/template-keys.ts'
import { isTemplateSendable, unsendableParts } from '../../src/domain/template-upstream.ts'
import { isReviewed } from '../../src/domain/template.ts'
import type { StoredTemplate } from '../../src/ports/stores/template-store.ts'
import type { KeptSample, SampleProblem, Sampling, TemplateFiles } from '../../src/ports/template-files.ts'

/**
 * A stored template, of a body in any of its forms; by default APPROVED on OFFICIAL. Its texts have one parameter for
 * each variable.
 */
export function storedTemplate(
  provider: ProviderKind,
  given: unknown,
  fields: Partial<StoredTemplate> = {},
): StoredTemplate {
  const { body } = readTemplateBody(given)
  const { source } = kindOf({ provider }).templates
  const isOfficial = isReviewed({ source })
  const category = fields.category ?? 'MARKETING'
  const keysOf = (part: object) =>
    variablesOf(
      { header: { type: 'NONE' }, body: null, footer: null, buttons: [], carousel: null, ...part },
      { source, category },
    )
  const cards =
    body.carousel?.cards.map((card, index) =>
      keysOf({
        carousel: {
          cards: body.carousel?.cards.map((one, at) => ({
            ...one,
            buttons: [],
            body: at === index ? card.body : null,
          })),
        },
      }),
    ) ?? []
  const unsupported = fields.unsupported ?? unsendableParts(body)
  const officialStatus = fields.officialStatus === undefined ? (isOfficial ? 'APPROVED' : null) : fields.officialStatus
  const at = new Date(0)
  return {
    id: newId('tpl'),
    name: 'welcome',
    category,
    language: 'pt_BR',
    source,
    officialStatus,
    officialLanguage: isOfficial ? 'pt_BR' : null,
    sendable: isTemplateSendable(officialStatus, unsupported),
    variables: variablesOf(body, { source, category }),
    body,
    examples: {},
    externalId: isOfficial ? '900719925474099312' : null,
    upstreamStatus: officialStatus,
    statusReason: null,
    statusDescription: null,
    quality: null,
    requestedCategory: null,
    correctCategory: null,
    unsupported,
    submittedAt: at,
    createdAt: at,
    updatedAt: at,
    submitted: null,
    applied: NEVER_APPLIED,
    ask: null,
    askedUntil: null,
    askTries: 0,
    owner: { kind: 'NUMBER', tenantId: newId('ten'), numberId: newId('num') },
    parameters: isOfficial
      ? { format: 'POSITIONAL', header: keysOf({ header: body.header }), body: keysOf({ body: body.body }), cards }
      : null,
    files: { header: null, cards: cards.map(() => null) },
    ...fields,
  }
}

const OURS = 'https://files.example/'

function sampleOf(fileId: FileId): KeptSample {
  return {
    fileId,
    url: `${OURS}${fileId}`,
    path: `/tmp/${fileId}`,
    mimeType: 'image/png',
    sizeBytes: 1,
    fileName: `${fileId}.png`,
  }
}

/** Files of templates; those whose address is in `problems` cannot be read. */
export class ScriptedTemplateFiles implements TemplateFiles {
  readonly asked: string[] = []
  readonly problems = new Map<string, SampleProblem>()
  readonly kept = new Map<FileId, string>()
  readonly released: FileId[] = []

  async keep(_owner: object, kind: string, source: string, from: string): Promise<Sampling> {
    this.asked.push(`${kind} ${source} ${from}`)
    const problem = this.problems.get(source)
    if (problem) return { ok: false, problem }
    return { ok: true, sample: this.#add(source) }
  }

  async copy(_owner: object, _kind: string, fileId: FileId): Promise<Sampling> {
    this.asked.push(`copy ${fileId}`)
    const source = this.kept.get(fileId)
    return source === undefined
      ? { ok: false, problem: { problem: 'UNREACHABLE', message: 'gone' } }
      : { ok: true, sample: this.#add(source) }
  }

  fileOf(url: string): FileId | null {
    return url.startsWith(OURS) ? (url.slice(OURS.length) as FileId) : null
  }

  async open(_tenantId: string, fileId: FileId): Promise<KeptSample | null> {
    return this.kept.has(fileId) ? sampleOf(fileId) : null
  }

  #add(source: string): KeptSample {
    const fileId = newSecretId('file')
    this.kept.set(fileId, source)
    return sampleOf(fileId)
  }

  async release(fileIds: readonly FileId[]): Promise<void> {
    this.released.push(...fileIds)
    for (const id of fileIds) this.kept.delete(id)
  }
}
