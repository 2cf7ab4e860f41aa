import { z } from 'zod'
import { rawDigits } from '../../../src/domain/long-integers.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { Shelf } from '../../shelf.ts'
import { newLongId } from '../registry/ids.ts'
import type { Change } from '../webhooks/webhooks.ts'
import type { PlatformForm, PlatformLead } from './page.ts'

/** Body of `POST /control/peers/{peer}/leads`. */
export const submissionSchema = z.object({
  formId: z.string(),
  answers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).default({}),
  /**
   * Answers by checkbox: true and false are written as upstream does, anything else as it is. Absent when none are
   * told.
   */
  consent: z.record(z.string(), z.unknown()).optional(),
  adId: z
    .string()
    .regex(/^\d{1,30}$/)
    .optional(),
  isOrganic: z.boolean().optional(),
  platform: z.string().nullable().default('fb'),
  createdAt: z.iso.datetime({ offset: true }).optional(),
  /** True when no webhook tells of it. */
  isSilent: z.boolean().default(false),
})
export type Submission = z.infer<typeof submissionSchema>

const PHONE = 'PHONE'
const PHONE_KEY = 'phone_number'

export interface LeadBookParts {
  readonly clock: Clock
  /** Posts a change; false when nobody is subscribed to it. */
  send(change: Change): boolean
}

/** Leads that people submitted, and the webhooks that tell of them. */
export class LeadBook {
  readonly #parts: LeadBookParts
  readonly #leads = new Shelf<PlatformLead>()
  #lastOrder = 0

  constructor(parts: LeadBookParts) {
    this.#parts = parts
  }

  /** A person submits a form. */
  submit(
    form: PlatformForm,
    person: string,
    { answers, consent, adId, isOrganic, platform, createdAt, isSilent }: Submission,
  ): PlatformLead {
    const lead: PlatformLead = {
      id: newLongId(),
      order: ++this.#lastOrder,
      pageId: form.pageId,
      formId: form.id,
      // Upstream counts in seconds.
      createdAtMs:
        Math.floor((createdAt === undefined ? this.#parts.clock.now() : Date.parse(createdAt)) / 1000) * 1000,
      adId: adId ?? null,
      isOrganic: isOrganic ?? adId === undefined,
      platform,
      answers: answersOf(form, person, answers),
      consents:
        consent === undefined
          ? null
          : Object.entries(consent).map(([key, given]) => ({
              key,
              isChecked: typeof given === 'boolean' ? (given ? '1' : '') : given,
            })),
    }
    this.#leads.add(lead.id, [form.id], lead)
    if (!isSilent) this.tell(lead)
    return lead
  }

  /**
   * Tells of a lead by webhook, also when it was told before. Ids come as numbers and as texts. False when nobody is
   * subscribed.
   */
  tell({ id, pageId, formId, adId, createdAtMs }: PlatformLead): boolean {
    const value = {
      leadgen_id: rawDigits(id),
      page_id: pageId,
      form_id: rawDigits(formId),
      created_time: Math.floor(createdAtMs / 1000),
      ...(adId === null ? {} : { ad_id: rawDigits(adId), adgroup_id: adId }),
    }
    return this.#parts.send({ object: 'page', accountId: pageId, phoneId: null, field: 'leadgen', value })
  }

  find(id: string): PlatformLead | null {
    return this.#leads.get(id)
  }

  /** Leads of a form, newest first. */
  of({ id }: PlatformForm): PlatformLead[] {
    return this.#leads.of(id).toReversed()
  }

  reset(): void {
    this.#leads.clear()
  }
}

/**
 * The answers in the form's order, then those that it does not ask for. The person's own number answers a question for
 * a phone that was not given.
 */
function answersOf({ questions }: PlatformForm, person: string, given: Submission['answers']): PlatformLead['answers'] {
  const phones = questions.filter(({ type }) => type.toUpperCase() === PHONE).map(({ key }) => key)
  const own = Object.fromEntries((phones.length === 0 ? [PHONE_KEY] : phones).map((key) => [key, `+${person}`]))
  const all: Submission['answers'] = { ...own, ...given }
  const keys = new Set([
    ...questions.map(({ key }) => key).filter((key) => Object.hasOwn(all, key)),
    ...Object.keys(given),
    ...Object.keys(own),
  ])
  return [...keys].map((key) => ({ key, values: [all[key] ?? []].flat() }))
}
