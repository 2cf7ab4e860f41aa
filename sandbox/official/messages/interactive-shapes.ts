import { z } from 'zod'
import { mediaShape } from '../media/media-reference.ts'

/** Upstream: limits of interactive messages. */
const CARDS_MIN = 2
const CARDS_MAX = 10
const LIST_ROWS_MAX = 10
const CARD_LINE_BREAKS_MAX = 2
const FLOW_CTA_MAX = 30

/** A text must not be blank. */
const shown = (max: number) => z.string().min(1).max(max).regex(/\S/, 'is blank')
const body = (max: number) => z.strictObject({ text: shown(max) })
const footer = z.strictObject({ text: z.string().min(1).max(60) }).optional()
const textHeader = z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(60) })
const imageHeader = z.strictObject({ type: z.literal('image'), image: mediaShape({}) })
const videoHeader = z.strictObject({ type: z.literal('video'), video: mediaShape({}) })
const documentHeader = z.strictObject({
  type: z.literal('document'),
  document: mediaShape({ filename: z.string().optional() }),
})
const anyHeader = z.discriminatedUnion('type', [textHeader, imageHeader, videoHeader, documentHeader]).optional()
const ctaAction = z.strictObject({
  name: z.literal('cta_url'),
  parameters: z.strictObject({ display_text: z.string().min(1).max(20), url: z.url({ protocol: /^https?$/ }) }),
})
const replyButton = z.strictObject({
  type: z.literal('reply'),
  reply: z.strictObject({ id: z.string().min(1).max(256), title: shown(20) }),
})
const quickReply = z.strictObject({
  type: z.literal('quick_reply'),
  quick_reply: z.strictObject({ id: z.string().min(1).max(256), title: shown(20) }),
})
const row = z.strictObject({
  id: z.string().min(1).max(200),
  title: shown(24),
  description: z.string().max(72).optional(),
})
const section = z.strictObject({ title: z.string().max(24).optional(), rows: z.array(row).min(1) })
const card = z.strictObject({
  card_index: z
    .int()
    .min(0)
    .max(CARDS_MAX - 1),
  type: z.literal('cta_url'),
  header: z.discriminatedUnion('type', [imageHeader, videoHeader]),
  body: body(160)
    .refine(({ text }) => text.split('\n').length <= CARD_LINE_BREAKS_MAX + 1, 'has too many line breaks')
    .optional(),
  action: z.union([ctaAction, z.strictObject({ buttons: z.array(quickReply).min(1) })]),
})
type Card = z.infer<typeof card>

const flowParameters = z
  .strictObject({
    flow_message_version: z.literal('3'),
    flow_id: z.string().regex(/^\d+$/).optional(),
    flow_name: z.string().min(1).optional(),
    flow_cta: z.string().min(1).max(FLOW_CTA_MAX),
    mode: z.enum(['draft', 'published']).optional(),
    flow_token: z.string().min(1).optional(),
    flow_action: z.enum(['navigate', 'data_exchange']).optional(),
    flow_action_payload: z
      .strictObject({
        screen: z.string().min(1).optional(),
        data: z
          .record(z.string(), z.unknown())
          .refine((data) => Object.keys(data).length > 0, 'is empty')
          .optional(),
      })
      .optional(),
  })
  .refine(({ flow_id: id, flow_name: name }) => (id === undefined) !== (name === undefined), {
    path: ['flow_id'],
    message: 'names a Flow, or flow_name does, and not both',
  })

function areUnique(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length
}

/** What must be the same on each card: the kind of its header, and the kind and number of its buttons. */
function formOf({ header, action }: Card): string {
  return `${header.type} ${'buttons' in action ? action.buttons.length : action.name}`
}

/** The object under `interactive`, by its own type. */
export const interactiveSchemas: Readonly<Record<string, z.ZodType>> = {
  button: z.strictObject({
    type: z.literal('button'),
    header: anyHeader,
    body: body(1_024),
    footer,
    action: z.strictObject({
      buttons: z
        .array(replyButton)
        .min(1)
        .max(3)
        .refine((buttons) => areUnique(buttons.map(({ reply }) => reply.id)), 'two buttons have the same id')
        .refine((buttons) => areUnique(buttons.map(({ reply }) => reply.title)), 'two buttons have the same title'),
    }),
  }),
  list: z.strictObject({
    type: z.literal('list'),
    header: textHeader.optional(),
    body: body(4_096),
    footer,
    action: z.strictObject({
      button: z.string().min(1).max(20),
      sections: z
        .array(section)
        .min(1)
        .max(10)
        .refine(
          (sections) => sections.flatMap(({ rows }) => rows).length <= LIST_ROWS_MAX,
          'there are more than 10 rows',
        )
        .refine(
          (sections) => areUnique(sections.flatMap(({ rows }) => rows.map(({ id }) => id))),
          'two rows have the same id',
        )
        .refine(
          (sections) => sections.length === 1 || sections.every(({ title }) => title),
          'each of several sections needs a title',
        ),
    }),
  }),
  cta_url: z.strictObject({
    type: z.literal('cta_url'),
    header: anyHeader,
    body: body(1_024),
    footer,
    action: ctaAction,
  }),
  carousel: z.strictObject({
    type: z.literal('carousel'),
    body: body(1_024),
    action: z.strictObject({
      cards: z
        .array(card)
        .min(CARDS_MIN)
        .max(CARDS_MAX)
        .refine((cards) => areUnique(cards.map(({ card_index }) => card_index)), 'two cards have the same card_index')
        .refine((cards) => new Set(cards.map(formOf)).size === 1, 'the cards are not alike'),
    }),
  }),
  flow: z.strictObject({
    type: z.literal('flow'),
    header: anyHeader,
    body: body(1_024),
    footer,
    action: z.strictObject({ name: z.literal('flow'), parameters: flowParameters }),
  }),
  request_contact_info: z.strictObject({
    type: z.literal('request_contact_info'),
    action: z.strictObject({ name: z.literal('request_contact_info') }),
    body: body(1_024),
  }),
  call_permission_request: z.strictObject({
    type: z.literal('call_permission_request'),
    action: z.strictObject({ name: z.literal('call_permission_request') }),
    body: body(1_024).optional(),
  }),
}
