import { refuse } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import { isAsSubmitted } from '../../domain/template-compare.ts'
import { upstreamCategoryOf } from '../../domain/template-upstream.ts'
import type { TemplatesPort, UpstreamTemplate } from '../../ports/official/templates.ts'
import type { StoredTemplate, TemplateAsk, TemplateFate, TemplatePatch } from '../../ports/stores/template-store.ts'
import { SETTLED } from '../official/asking.ts'
import { readUntilCurrent } from '../official/read-until-current.ts'
import { inDoubt, letBe, settleWith } from './asking.ts'
import type { TemplateDraft } from './draft.ts'
import { linkFlow } from './link-flows.ts'
import type { LinkedTemplate } from './link-flows.ts'
import { fateFrom } from './merge.ts'
import type { TemplatePorts } from './ports.ts'
import { readUpstream } from './refresh.ts'
import { submissionOfDraft } from './row.ts'
import type { Samples } from './samples.ts'
import { submitRefusal } from './upstream.ts'
import { uploadSamples } from './uploads.ts'

export type EditAsk = TemplateAsk & { readonly kind: 'EDIT' }

/** An edit under way; the row holds it as its ask. */
export interface Edit {
  readonly row: StoredTemplate
  readonly ask: EditAsk
  readonly port: TemplatesPort
  readonly draft: TemplateDraft
  readonly samples: Samples
}

/**
 * Asks upstream for the new wording. After a lost answer the template is read: if it has the new components, the edit
 * was taken ([templates.update.7]).
 */
export async function editUpstream(
  ports: TemplatePorts,
  { row, ask, port, draft, samples }: Edit,
): Promise<Outcome<StoredTemplate>> {
  const { externalId } = row
  const handles = await uploadSamples(port, samples)
  if (!handles.ok) return letBe(ports, row, handles.error)
  if (externalId === null)
    return letBe(
      ports,
      row,
      refuse('TEMPLATE_NOT_EDITABLE', 'The official platform has not taken this template yet', {
        officialStatus: row.officialStatus,
        upstreamStatus: row.upstreamStatus,
      }),
    )
  const { components, parameters } = submissionOfDraft(draft, samples.body, handles.value)
  // Upstream fixes the category of a template that it has approved once, and refuses another one, even the one that was
  // asked for first. Only for a template that it has rejected can another category be asked for.
  const category =
    draft.category === row.category || row.upstreamStatus !== 'REJECTED' ? null : upstreamCategoryOf(draft.category)
  const edited = await port.edit(externalId, { components, parameterFormat: parameters.format, category })
  switch (edited.kind) {
    case 'done':
      return settleWith(ports, row, (now) => takenFate(ports, row, ask, now))
    case 'refused':
      return letBe(ports, row, submitRefusal(edited.no))
    case 'unsent':
      return letBe(ports, row, edited.refusal)
    case 'unknown':
      return settleLost(ports, { row, ask, port }, externalId, edited.refusal)
  }
}

/** Reads whether an edit was taken whose answer was lost. An event told meanwhile wins. */
async function settleLost(
  ports: TemplatePorts,
  { row, ask, port }: Pick<Edit, 'row' | 'ask' | 'port'>,
  externalId: string,
  lost: Refusal,
): Promise<Outcome<StoredTemplate>> {
  const settled = await readUntilCurrent(
    ports.clock,
    () => port.read(externalId),
    async (shown, isNewer) => {
      if (shown === null) return inDoubt(ports, row, lost)
      const value = await linkFlow(ports, row.owner, shown)
      return isTaken(ask, value)
        ? settleWith(ports, row, (now) => (isNewer(now) ? { kind: 'KEEP' } : readFate(ports, ask, value, now)))
        : letBe(ports, row, lost)
    },
  )
  return settled.ok ? settled.value : inDoubt(ports, row, lost)
}

/**
 * Settles an edit that nobody waits for any more: what upstream shows says whether it was taken. A template that
 * upstream no longer has goes.
 */
export async function settleEdit(
  ports: TemplatePorts,
  row: StoredTemplate,
  ask: EditAsk,
  port: TemplatesPort,
): Promise<'settled' | 'open'> {
  const read = await readUntilCurrent(
    ports.clock,
    () => readUpstream(port, row),
    async (shown, isNewer) => {
      const value = await linkFlow(ports, row.owner, shown)
      await ports.templates.change(row.id, (now) => {
        if (value === null) return { kind: 'REMOVE' }
        if (isNewer(now)) return { kind: 'KEEP' }
        return isTaken(ask, value) ? readFate(ports, ask, value, now) : { kind: 'CHANGE', patch: SETTLED }
      })
    },
  )
  return read.ok ? 'settled' : 'open'
}

function isTaken({ wording: { submitted }, category }: EditAsk, shown: UpstreamTemplate): boolean {
  return submitted !== null && isAsSubmitted(submitted, shown.components, category === 'OTP')
}

/** The template is reviewed anew. An event that came before the answer says more of the review than the answer does. */
function takenFate({ clock }: TemplatePorts, before: StoredTemplate, ask: EditAsk, now: StoredTemplate): TemplateFate {
  const isReviewed = now.applied.status?.getTime() !== before.applied.status?.getTime()
  const reviewed: TemplatePatch = isReviewed
    ? {}
    : {
        officialStatus: 'PENDING',
        upstreamStatus: 'PENDING',
        statusReason: null,
        statusDescription: null,
        // The answer has no time of upstream's, so older news may come behind it.
        applied: { ...now.applied, status: null },
      }
  return {
    kind: 'CHANGE',
    patch: {
      ...ask.wording,
      ...reviewed,
      ...SETTLED,
      requestedCategory: ask.category,
      submittedAt: new Date(clock.now()),
    },
  }
}

function readFate({ clock }: TemplatePorts, ask: EditAsk, shown: LinkedTemplate, now: StoredTemplate): TemplateFate {
  const at = new Date(clock.now())
  return fateFrom({ ...now, ...ask.wording }, shown, at, {
    ...ask.wording,
    ...SETTLED,
    requestedCategory: ask.category,
    submittedAt: at,
  })
}
