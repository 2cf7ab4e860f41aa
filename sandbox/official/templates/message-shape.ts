import { z } from 'zod'
import { mediaShape } from '../media/media-reference.ts'

/** our choice: no filled value is longer; the length of the whole text is checked when it is filled. */
const TEXT_MAX = 4_096

const object = z.record(z.string(), z.unknown())
const name = z.string().min(1).optional()
const parameterSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(TEXT_MAX), parameter_name: name }),
  z.strictObject({
    type: z.literal('currency'),
    currency: z.strictObject({ fallback_value: z.string().min(1), code: z.string(), amount_1000: z.number() }),
    parameter_name: name,
  }),
  z.strictObject({
    type: z.literal('date_time'),
    date_time: z.looseObject({ fallback_value: z.string().min(1) }),
    parameter_name: name,
  }),
  z.strictObject({ type: z.literal('image'), image: mediaShape({}) }),
  z.strictObject({ type: z.literal('video'), video: mediaShape({}) }),
  z.strictObject({
    type: z.literal('document'),
    document: mediaShape({ filename: z.string().min(1).max(240).optional() }),
  }),
  z.strictObject({ type: z.literal('location'), location: object }),
  z.strictObject({ type: z.literal('product'), product: object }),
  z.strictObject({ type: z.literal('payload'), payload: z.string().min(1).max(256) }),
  z.strictObject({ type: z.literal('coupon_code'), coupon_code: z.string().min(1) }),
  z.strictObject({ type: z.literal('action'), action: object }),
])
const parameters = z.array(parameterSchema).default([])

const textPartSchema = (type: 'header' | 'body') => z.strictObject({ type: z.literal(type), parameters })
const buttonSchema = z.strictObject({
  type: z.literal('button'),
  sub_type: z.enum([
    'quick_reply',
    'url',
    'copy_code',
    'flow',
    'catalog',
    'mpm',
    'order_details',
    'payment_request',
    'voice_call',
  ]),
  index: z.union([z.string().regex(/^\d$/).transform(Number), z.int().min(0).max(9)]),
  parameters,
})
const cardSchema = z.strictObject({
  card_index: z.int().min(0).max(9),
  components: z.array(z.discriminatedUnion('type', [textPartSchema('header'), textPartSchema('body'), buttonSchema])),
})
const componentSchema = z.discriminatedUnion('type', [
  textPartSchema('header'),
  textPartSchema('body'),
  buttonSchema,
  z.strictObject({ type: z.literal('carousel'), cards: z.array(cardSchema).min(1) }),
  z.strictObject({ type: z.literal('limited_time_offer'), parameters: z.array(object) }),
])

/** The object under `template` in a message. */
export const templateMessageShape = z.strictObject({
  name: z.string().min(1).max(512),
  language: z.strictObject({ code: z.string().min(1), policy: z.literal('deterministic').optional() }),
  components: z.array(componentSchema).default([]),
})
export type TemplateMessage = z.infer<typeof templateMessageShape>
export type SentParameter = z.infer<typeof parameterSchema>
export type SentButton = z.infer<typeof buttonSchema>
export type SentPart = z.infer<typeof cardSchema>['components'][number]
