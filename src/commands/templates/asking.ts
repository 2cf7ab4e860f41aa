import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { StoredTemplate, TemplateAsk, TemplateFate, TemplateStore } from '../../ports/stores/template-store.ts'
import { NO_SUCH_TEMPLATE } from './find.ts'

export interface AskingDeps {
  readonly templates: Pick<TemplateStore, 'change'>
  readonly clock: Pick<Clock, 'now'>
}

/** Our choice: so long a request of a template may take, uploads and look-ups included; then others may ask what became of it. */
export const ASK_MS = 90_000

/** Upstream is asked about the row no more. */
export const SETTLED = { ask: null, askedUntil: null, askTries: 0 } as const

/** Another request about it is under way, or in doubt. */
export function askedRefusal({ ask, officialStatus, upstreamStatus }: StoredTemplate): Refusal | null {
  if (ask === null) return null
  return refuse('TEMPLATE_NOT_EDITABLE', 'The official platform has not answered an earlier request for this template. Try again shortly.', { officialStatus, upstreamStatus })
}

/** Stores what upstream is about to be asked. Refusal: what `refusalOf` says of the row as it is now, or it is gone. */
export async function beginAsk(
  { templates, clock }: AskingDeps, { id }: StoredTemplate, ask: TemplateAsk, refusalOf: (row: StoredTemplate) => Refusal | null,
): Promise<Outcome<StoredTemplate>> {
  let refusal: Refusal | null = null
  const begun = await templates.change(id, (row) => {
    refusal = refusalOf(row)
    return refusal ? { kind: 'KEEP' } : { kind: 'CHANGE', patch: { ask, askedUntil: new Date(clock.now() + ASK_MS), askTries: 0 } }
  })
  return begun && !refusal ? succeed(begun.template) : fail(refusal ?? NO_SUCH_TEMPLATE)
}

/** Whoever asked goes on asking alone. */
export async function holdOn({ templates, clock }: AskingDeps, { id }: StoredTemplate): Promise<void> {
  await templates.change(id, () => ({ kind: 'CHANGE', patch: { askedUntil: new Date(clock.now() + ASK_MS) } }))
}

/** Stores what came of it. Refusal: an event of its deletion, or the removal of the account, was faster. */
export async function settleWith({ templates }: AskingDeps, { id }: StoredTemplate, decide: (row: StoredTemplate) => TemplateFate): Promise<Outcome<StoredTemplate>> {
  const settled = await templates.change(id, decide)
  return settled && !settled.isRemoved ? succeed(settled.template) : fail(NO_SUCH_TEMPLATE)
}

/** Nothing came of it: the row is as it was. */
export async function letBe({ templates }: AskingDeps, { id }: StoredTemplate, refusal: Refusal): Promise<Outcome<never>> {
  await templates.change(id, () => ({ kind: 'CHANGE', patch: SETTLED }))
  return fail(refusal)
}

/** Nobody knows what came of it: from now on anybody may find out. */
export async function inDoubt({ templates, clock }: AskingDeps, { id }: StoredTemplate, refusal: Refusal): Promise<Outcome<never>> {
  await templates.change(id, () => ({ kind: 'CHANGE', patch: { askedUntil: new Date(clock.now()) } }))
  return fail(refusal)
}
