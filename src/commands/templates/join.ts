import { fail, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberRef } from '../../domain/number.ts'
import { isAsSubmitted } from '../../domain/template-compare.ts'
import type { StoredTemplate } from '../../ports/stores/template-store.ts'
import { ASK_MS } from '../official/asking.ts'
import { alreadyExists, joinCreation } from './creation.ts'
import type { Creation } from './creation.ts'
import type { TemplateDraft } from './draft.ts'
import type { TemplatePorts } from './ports.ts'
import { submissionOfDraft, upstreamSubmission } from './row.ts'
import type { Samples } from './samples.ts'
import type { NumberTemplates } from './upstream.ts'
import { uploadSamples } from './uploads.ts'

/** Finds the row that has the draft's name and language; null when there is none. */
export async function existingOf(
  { templates }: TemplatePorts,
  number: NumberRef,
  { name, language }: TemplateDraft,
): Promise<StoredTemplate | null> {
  return (await templates.find(number, name)).find((one) => one.name === name && one.language === language) ?? null
}

/** Whether the same template was asked for before, nobody knows what became of that, and nobody is finding out now. */
export function isInDoubt(
  { clock }: TemplatePorts,
  { ask, askedUntil, submitted, category }: StoredTemplate,
  draft: TemplateDraft,
): boolean {
  if (ask?.kind !== 'CREATE' || submitted === null || category !== draft.category) return false
  const isFree = askedUntil === null || askedUntil.getTime() <= clock.now()
  return isFree && isAsSubmitted(submitted, submissionOfDraft(draft, draft.body).components, category === 'OTP')
}

/** What a creation is made of, with its files fetched. */
export interface Ready {
  readonly draft: TemplateDraft
  readonly samples: Samples
}

/**
 * Takes over a creation that is in doubt. The row keeps the files it was made with; the new ones serve the upload only.
 */
export async function join(
  ports: TemplatePorts,
  upstream: NumberTemplates,
  { draft, samples, existing }: Ready & { readonly existing: StoredTemplate },
): Promise<Outcome<StoredTemplate>> {
  const askedUntil = new Date(ports.clock.now() + ASK_MS)
  let isHeld = false
  const held = await ports.templates.change(existing.id, (row) => {
    isHeld = row.ask?.kind === 'CREATE' && row.askedUntil?.getTime() === existing.askedUntil?.getTime()
    return isHeld ? { kind: 'CHANGE', patch: { askedUntil } } : { kind: 'KEEP' }
  })
  const joined =
    held && isHeld
      ? await joinCreation(ports, creationOf(upstream, { draft, samples, row: held.template }))
      : fail(alreadyExists(existing))
  await ports.templateFiles.release(samples.fresh)
  return joined
}

/** Makes a creation whose files are uploaded once upstream is asked. */
export function creationOf(
  { port }: NumberTemplates,
  { draft, samples, row }: Ready & { readonly row: StoredTemplate },
): Creation {
  return {
    row,
    port,
    async submission() {
      const handles = await uploadSamples(port, samples)
      return handles.ok
        ? succeed(upstreamSubmission(draft, submissionOfDraft(draft, samples.body, handles.value)))
        : handles
    },
  }
}
