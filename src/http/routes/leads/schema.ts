import { z } from 'zod'
import { AUTO_SEND_STATUSES, LEAD_PLATFORMS, LEAD_SOURCES } from '../../../domain/lead.ts'
import { isInOrder, NOT_IN_ORDER, rangeFields } from '../date-range.ts'
import { isWithinReach, noticeField, OUT_OF_REACH, pagedAnswer, pageFields } from '../paging.ts'
import { timestamp } from '../phone-schema.ts'

const upstreamId = z.string().meta({ description: 'Upstream’s id: digits, longer than a number can hold' })

/** Fields of a lead, here and in its event ([leads.object.1]). */
export const leadFields = {
  id: z.string(),
  leadgenId: upstreamId,
  channelNumberId: z.string().meta({ description: 'The number its Page was linked to when it was stored' }),
  pageId: upstreamId,
  pageName: z.string().nullable(),
  formId: upstreamId,
  formName: z.string().nullable().meta({ description: 'Null when unknown' }),
  adId: upstreamId.nullable().meta({ description: 'Null when organic' }),
  adName: z
    .string()
    .nullable()
    .meta({ description: 'Null, as those of ad set and campaign, when organic, not shared, or not resolved yet' }),
  adsetName: z.string().nullable(),
  campaignName: z.string().nullable(),
  platform: z.enum(LEAD_PLATFORMS).nullable(),
  isOrganic: z.boolean().nullable(),
  createdAt: timestamp.meta({ description: 'When the person submitted the form' }),
  fullName: z.string().nullable().meta({ description: 'As entered; null when redacted or not asked' }),
  email: z.string().nullable().meta({ description: 'As entered; null when redacted or not asked' }),
  phone: z.string().nullable().meta({ description: 'As typed; null when redacted or not asked' }),
  fields: z
    .array(
      z.object({
        key: z.string(),
        label: z
          .string()
          .meta({ description: 'The text of the question where it was known when the lead was stored, else the key' }),
        values: z.array(z.string()),
      }),
    )
    .meta({ description: 'Every answer, in order; empty when redacted' }),
  consentGiven: z.boolean().nullable().meta({ description: 'Null: unknown, neither a refusal nor a consent' }),
  conversationId: z
    .string()
    .nullable()
    .meta({ description: 'The conversation of the number with that phone; null until there is one' }),
  autoSendStatus: z.enum(AUTO_SEND_STATUSES),
  autoSendReason: z.string().nullable().meta({ description: 'Why a template was skipped, or failed' }),
  autoSendMessageId: z.string().nullable(),
  source: z.enum(LEAD_SOURCES).meta({ description: '`webhook`: live; `backfill`: imported later' }),
  redacted: z.boolean().meta({ description: 'Personal data was withheld' }),
  namesResolvedAt: timestamp.nullable().meta({ description: 'Null: the names of the ad may still come' }),
  receivedAt: timestamp.meta({ description: 'When it was stored' }),
}

export const lead = z.object(leadFields).meta({ id: 'Lead' })
export const leadPage = z.object({ leads: z.array(lead), ...pagedAnswer }).meta({ id: 'LeadPage' })
export const leadRead = z.object({ lead, notice: noticeField }).meta({ id: 'LeadRead' })
export const deletedLead = z.object({ deleted: z.literal(true), id: z.string() }).meta({ id: 'DeletedLead' })

export const leadParams = z.object({ id: z.string().meta({ description: 'Our id of the lead' }) })

/** Upstream ids compare as texts, so any text is taken ([leads.routes.1]). */
const filter = (what: string) =>
  z
    .string()
    .max(100)
    .optional()
    .meta({ description: `Only those of this ${what}: its upstream id` })

export const listQuery = z
  .object({ formId: filter('form'), adId: filter('ad'), pageId: filter('Page'), ...rangeFields, ...pageFields })
  .refine(isInOrder, NOT_IN_ORDER)
  .refine(isWithinReach, OUT_OF_REACH)
