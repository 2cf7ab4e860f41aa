import { fail, refuse } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import { afterCreation } from '../../domain/template-events.ts'
import { isNameTaken, templateCategoryOf, templateStatusOf } from '../../domain/template-upstream.ts'
import type { TemplatesPort, TemplateSubmission, UpstreamTemplate } from '../../ports/official/templates.ts'
import type { StoredTemplate, TemplateFate } from '../../ports/stores/template-store.ts'
import { NO_ANSWER, SETTLED } from '../official/asking.ts'
import { readUntilCurrent } from '../official/read-until-current.ts'
import type { IsNewer } from '../official/read-until-current.ts'
import { holdOn, inDoubt, settleWith } from './asking.ts'
import { NO_SUCH_TEMPLATE } from './find.ts'
import { linkFlow } from './link-flows.ts'
import type { LinkedTemplate } from './link-flows.ts'
import { asOf, fateFrom, isOurs, isThere } from './merge.ts'
import type { TemplatePorts } from './ports.ts'
import { submitRefusal } from './upstream.ts'

/** A creation under way; its row waits for what upstream says. */
export interface Creation {
  readonly row: StoredTemplate
  readonly port: TemplatesPort
  /** What to submit; its files are uploaded first, because they must be before upstream is asked. */
  readonly submission: () => Promise<Outcome<TemplateSubmission>>
}

/** A template that is absent after a lost answer is submitted once more [templates.create.8]. */
const TRIES = 2

/**
 * Creates a template upstream. Upstream's create is not idempotent: after a lost answer the template is looked up, and
 * adopted when it is ours ([templates.create.6], [templates.create.7]). `before`: why an earlier request of this row is
 * in doubt, null when there was none.
 */
export async function createUpstream(
  ports: TemplatePorts,
  creation: Creation,
  before: Refusal | null = null,
): Promise<Outcome<StoredTemplate>> {
  const { port, row } = creation
  const submission = await creation.submission()
  if (!submission.ok) return (before ? inDoubt : giveUp)(ports, row, submission.error)
  let lost = before
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    await holdOn(ports, row)
    const made = await port.create(submission.value)
    switch (made.kind) {
      case 'done':
        return settleWith(ports, row, (now) => answeredFate(ports, row, made.value, now))
      // An earlier try whose answer was lost may have created it, so this answer does not settle it.
      case 'unsent':
        return lost ? inDoubt(ports, row, lost) : giveUp(ports, row, made.refusal)
      case 'refused':
        if (isNameTaken(made.no.upstreamSubcode)) return nameTaken(ports, creation, lost)
        return lost ? inDoubt(ports, row, lost) : giveUp(ports, row, submitRefusal(made.no))
      case 'unknown': {
        lost = made.refusal
        const found = await lookUp(ports, row, port)
        if (!found.ok) return inDoubt(ports, row, lost)
        if (found.value) return found.value
      }
    }
  }
  return giveUp(ports, row, lost ?? NO_SUCH_TEMPLATE)
}

/**
 * Settles a creation in doubt that a caller asks for again ([templates.create.10]): what it came to is looked up first.
 */
export async function joinCreation(ports: TemplatePorts, creation: Creation): Promise<Outcome<StoredTemplate>> {
  const { port, row } = creation
  const found = await lookUp(ports, row, port)
  if (!found.ok) return inDoubt(ports, row, found.error)
  return found.value ?? createUpstream(ports, creation, NO_ANSWER)
}

/**
 * Looks for what a creation came to, and takes it over; null when there is nothing. An event told meanwhile wins
 * ([templates.account-changes.4]).
 */
function lookUp(
  ports: TemplatePorts,
  row: StoredTemplate,
  port: TemplatesPort,
): Promise<Outcome<Outcome<StoredTemplate> | null>> {
  return readUntilCurrent(
    ports.clock,
    () => port.find(row.name, row.language),
    async (shown, isNewer) => (isThere(shown) ? adopt(ports, row, shown, isNewer) : null),
  )
}

/**
 * Settles a creation that nobody waits for any more: what is found is adopted; when nothing is found the row goes,
 * because nothing was promised ([templates.create.11]).
 */
export async function settleCreation(
  ports: TemplatePorts,
  row: StoredTemplate,
  port: TemplatesPort,
): Promise<'settled' | 'open'> {
  const found = await readUntilCurrent(
    ports.clock,
    () => port.find(row.name, row.language),
    async (shown, isNewer) => {
      const value = isThere(shown) ? await linkFlow(ports, row.owner, shown) : null
      await ports.templates.change(row.id, (now) => {
        if (!value) return { kind: 'REMOVE' }
        return isNewer(now) ? { kind: 'KEEP' } : settledBy(ports, now, value)
      })
    },
  )
  return found.ok ? 'settled' : 'open'
}

/**
 * The name is taken: by another template, by one that is being deleted, or by ours whose answer was lost
 * ([templates.create.3], [templates.create.4]).
 */
async function nameTaken(
  ports: TemplatePorts,
  { row, port }: Creation,
  lost: Refusal | null,
): Promise<Outcome<StoredTemplate>> {
  if (lost) {
    const ours = await lookUp(ports, row, port)
    return (ours.ok ? ours.value : null) ?? inDoubt(ports, row, lost)
  }
  const found = await port.find(row.name, row.language)
  if (!found.ok) return giveUp(ports, row, found.error)
  if (!isThere(found.value))
    return giveUp(
      ports,
      row,
      refuse(
        'TEMPLATE_NAME_BEING_DELETED',
        'The official platform is still deleting a template of this name and language. Use another name, or wait.',
      ),
    )
  return importTaken(ports, row, found.value)
}

/**
 * Takes over a template that was found: ours becomes the row; another one is imported, and the answer says that the
 * name is taken.
 */
async function adopt(
  ports: TemplatePorts,
  row: StoredTemplate,
  shown: UpstreamTemplate,
  isNewer: IsNewer,
): Promise<Outcome<StoredTemplate>> {
  if (!isOurs(row, shown)) return importTaken(ports, row, shown)
  const linked = await linkFlow(ports, row.owner, shown)
  return settleWith(ports, row, (now) => (isNewer(now) ? { kind: 'KEEP' } : settledBy(ports, now, linked)))
}

async function importTaken(
  ports: TemplatePorts,
  row: StoredTemplate,
  shown: UpstreamTemplate,
): Promise<Outcome<StoredTemplate>> {
  const linked = await linkFlow(ports, row.owner, shown)
  await ports.templates.change(row.id, (now) =>
    fateFrom({ ...now, submitted: null }, linked, new Date(ports.clock.now()), { ...SETTLED, requestedCategory: null }),
  )
  return fail(alreadyExists(row))
}

/** The refusal of a name and language that another row has. */
export function alreadyExists({ id, name, language }: Pick<StoredTemplate, 'id' | 'name' | 'language'>): Refusal {
  return refuse(
    'TEMPLATE_ALREADY_EXISTS',
    `There is a template ${name} in ${language} already: change it, or use another name`,
    { id },
  )
}

function settledBy({ clock }: TemplatePorts, row: StoredTemplate, shown: LinkedTemplate): TemplateFate {
  return fateFrom(row, shown, new Date(clock.now()), SETTLED)
}

type CreationAnswer = { readonly externalId: string; readonly status: string | null; readonly category: string | null }

/** What an event said of the template meanwhile wins over the answer ([templates.account-changes.4]). */
function answeredFate(
  { clock }: TemplatePorts,
  asked: StoredTemplate,
  answer: CreationAnswer,
  now: StoredTemplate,
): TemplateFate {
  const { applied, quality, correctCategory } = asOf(now, answer.externalId)
  const word = answer.status ?? 'PENDING'
  const officialStatus = templateStatusOf(word) ?? 'PENDING'
  const said = afterCreation(
    {
      officialStatus,
      upstreamStatus: word,
      statusReason: null,
      statusDescription: null,
      category: templateCategoryOf(answer.category) ?? asked.category,
    },
    applied,
  )
  return {
    kind: 'CHANGE',
    patch: {
      applied,
      quality,
      correctCategory,
      ...said,
      ...SETTLED,
      externalId: answer.externalId,
      submittedAt: new Date(clock.now()),
    },
  }
}

async function giveUp({ templates }: TemplatePorts, row: StoredTemplate, refusal: Refusal): Promise<Outcome<never>> {
  await templates.change(row.id, () => ({ kind: 'REMOVE' }))
  return fail(refusal)
}
