import { z } from 'zod'
import { SOURCE_TYPES } from '../../../domain/referral.ts'
import { isInOrder, NOT_IN_ORDER, rangeFields } from '../date-range.ts'
import { item, nameFields } from '../messages/schema.ts'
import { isWithinReach, OUT_OF_REACH, pagedAnswer, pageFields } from '../paging.ts'
import { timestamp } from '../phone-schema.ts'

/** our choice: no id of upstream is longer, so a longer one is not looked for. */
const MAX_SOURCE_ID = 255

export const listQuery = z
  .object({
    ...rangeFields,
    ...pageFields,
    sourceId: z.string().min(1).max(MAX_SOURCE_ID).optional().meta({ description: 'One ad or post alone' }),
    sourceType: z.enum(SOURCE_TYPES, { error: `must be ${SOURCE_TYPES.join(' or ')}` }).optional(),
  })
  .refine(isInOrder, NOT_IN_ORDER)
  .refine(isWithinReach, OUT_OF_REACH)

/** A message item whose referral is never null ([referrals.objects.1]). */
const referralItem = item.extend({ referral: item.shape.referral.unwrap() }).meta({ id: 'ReferralItem' })

export const referralPage = z.object({ referrals: z.array(referralItem), ...pagedAnswer }).meta({ id: 'ReferralPage' })

export const summaryQuery = z.object(rangeFields).refine(isInOrder, NOT_IN_ORDER)

const summaryItem = z
  .object({
    sourceId: z.string().meta({ description: 'Of the ad or post, digits' }),
    sourceType: z.enum(SOURCE_TYPES).nullable(),
    conversations: z.int().meta({ description: 'Distinct conversations that it began' }),
    messages: z
      .int()
      .meta({ description: 'Times that it began one; a person who comes back another day counts again' }),
    lastSourceUrl: z.string().nullable(),
    lastHeadline: z.string().nullable(),
    lastMessageAt: timestamp,
    ...nameFields,
  })
  .meta({ id: 'ReferralSummaryItem' })

export const summary = z
  .object({
    ads: z.array(summaryItem),
    truncated: z.boolean().meta({ description: 'There are more than are shown' }),
    notice: z
      .literal('ADS_TRUNCATED')
      .optional()
      .meta({ description: 'With `truncated`: narrow the dates to see the others' }),
  })
  .meta({ id: 'ReferralSummary' })
