import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathItemObject } from 'zod-openapi'
import type { NativeField } from '../../domain/upstream-fields.ts'
import type { RouteGroup } from '../request/route-groups.ts'
import { deliveryHeaders, HOW, RECEIVED } from './webhooks.ts'

const GROUP: RouteGroup = 'Native webhook events'

interface NativeEvent {
  readonly summary: string
  /** `value` of the change, after upstream's own samples. */
  readonly value: Readonly<Record<string, unknown>>
}

const METADATA = { display_phone_number: '15550001111', phone_number_id: '106540352242922' }
const OF_NUMBER = { messaging_product: 'whatsapp', metadata: METADATA }
const CONTACTS = [{ profile: { name: 'Ana' }, wa_id: '5511999990001' }]
const TEMPLATE = {
  message_template_id: 64244916695,
  message_template_name: 'order_update',
  message_template_language: 'en_US',
}
const ECHOES = [
  {
    from: '15550001111',
    to: '5511999990001',
    id: 'wamid.HBgN',
    timestamp: '1767614400',
    type: 'text',
    text: { body: 'On my way' },
  },
]
const AT = '1767614400'

/** One example for each native field of upstream; a field may bring more kinds of changes than its example shows. */
const NATIVE: Readonly<Record<NativeField, NativeEvent>> = {
  messages: {
    summary: 'A message came in, or what became of one that was sent',
    value: {
      ...OF_NUMBER,
      contacts: CONTACTS,
      messages: [
        { from: '5511999990001', id: 'wamid.HBgM', timestamp: AT, type: 'text', text: { body: 'Good morning' } },
      ],
    },
  },
  calls: {
    summary: 'A call begins, or is over',
    value: {
      ...OF_NUMBER,
      calls: [
        {
          id: 'wacid.A',
          from: '5511999990001',
          to: '15550001111',
          event: 'terminate',
          direction: 'USER_INITIATED',
          timestamp: AT,
          status: 'COMPLETED',
          start_time: '1767614358',
          end_time: AT,
          duration: 42,
        },
      ],
    },
  },
  message_echoes: {
    summary: 'A message that another sender of the account wrote',
    value: { ...OF_NUMBER, message_echoes: ECHOES },
  },
  smb_message_echoes: {
    summary: 'A message written in the business app',
    value: { ...OF_NUMBER, message_echoes: ECHOES },
  },
  message_template_status_update: {
    summary: 'A template was approved, rejected, paused or disabled',
    value: { event: 'APPROVED', ...TEMPLATE, reason: 'NONE' },
  },
  message_template_quality_update: {
    summary: 'The quality of a template changed',
    value: { previous_quality_score: 'GREEN', new_quality_score: 'YELLOW', ...TEMPLATE },
  },
  message_template_components_update: {
    summary: 'The parts of a template changed',
    value: { ...TEMPLATE, message_template_element: 'Your order {{1}} is on its way.' },
  },
  template_category_update: {
    summary: 'The category of a template changed, or will',
    value: { ...TEMPLATE, previous_category: 'UTILITY', new_category: 'MARKETING' },
  },
  template_correct_category_detection: {
    summary: 'A template was sent under another category than it has',
    value: { ...TEMPLATE, category: 'UTILITY', correct_category: 'MARKETING' },
  },
  phone_number_name_update: {
    summary: 'A display name was judged',
    value: { display_phone_number: '15550001111', decision: 'APPROVED', requested_verified_name: 'Acme' },
  },
  phone_number_quality_update: {
    summary: 'The messaging limit of a number changed',
    value: { display_phone_number: '15550001111', event: 'UPGRADE', old_limit: 'TIER_1K', current_limit: 'TIER_10K' },
  },
  account_review_update: { summary: 'The account was reviewed', value: { decision: 'APPROVED' } },
  account_settings_update: {
    summary: 'Settings of a number changed, those of calling among them',
    value: {
      messaging_product: 'whatsapp',
      timestamp: AT,
      type: 'phone_number_settings',
      phone_number_settings: { phone_number_id: '106540352242922', calling: { status: 'ENABLED' } },
    },
  },
  account_update: {
    summary: 'The account was verified, restricted or banned',
    value: { event: 'VERIFIED_ACCOUNT', phone_number: '15550001111' },
  },
  business_capability_update: {
    summary: 'What the account may do changed',
    value: { max_daily_conversations_per_business: 'TIER_10K', max_phone_numbers_per_business: 20 },
  },
  business_status_update: { summary: 'The business itself changed', value: { event: 'COMPROMISED_NOTIFICATION' } },
  flows: {
    summary: 'A form changed its status, or works badly',
    value: {
      event: 'FLOW_STATUS_CHANGE',
      flow_id: '664460835692319',
      message: 'The flow was published',
      old_status: 'DRAFT',
      new_status: 'PUBLISHED',
    },
  },
  group_lifecycle_update: {
    summary: 'A group was created or deleted',
    value: {
      ...OF_NUMBER,
      groups: [
        { timestamp: AT, group_id: 'Y2FwaV9ncm91cDox', type: 'group_create', request_id: '1', subject: 'Support' },
      ],
    },
  },
  group_participants_update: {
    summary: 'Somebody joined or left a group',
    value: {
      ...OF_NUMBER,
      groups: [
        {
          timestamp: AT,
          group_id: 'Y2FwaV9ncm91cDox',
          type: 'group_participants_add',
          added_participants: [{ wa_id: '5511999990001' }],
        },
      ],
    },
  },
  group_settings_update: {
    summary: 'Name, description or picture of a group changed',
    value: {
      ...OF_NUMBER,
      groups: [
        {
          timestamp: AT,
          group_id: 'Y2FwaV9ncm91cDox',
          type: 'group_settings_update',
          group_subject: { text: 'Support', update_successful: true },
        },
      ],
    },
  },
  group_status_update: {
    summary: 'A group was suspended, or is no longer',
    value: { ...OF_NUMBER, groups: [{ timestamp: AT, group_id: 'Y2FwaV9ncm91cDox', type: 'group_suspend' }] },
  },
  payment_configuration_update: {
    summary: 'A payment configuration changed',
    value: {
      configuration_name: 'main',
      provider_name: 'acme_pay',
      provider_mid: 'acct_1',
      status: 'Active',
      created_timestamp: 1767614400,
      updated_timestamp: 1767614400,
    },
  },
  user_preferences: {
    summary: 'A contact stopped or resumed marketing messages',
    value: {
      ...OF_NUMBER,
      contacts: CONTACTS,
      user_preferences: [
        {
          wa_id: '5511999990001',
          detail: 'User stopped marketing messages',
          category: 'marketing_messages',
          value: 'stop',
          timestamp: 1767614400,
        },
      ],
    },
  },
}

/**
 * Upstream's envelope with the one entry and the one change of a delivery ([events.native.2]). Further fields are
 * passed on.
 */
function envelopeOf(field: NativeField) {
  const change = z.looseObject({ field: z.literal(field), value: z.looseObject({}) })
  const entry = z.looseObject({
    id: z.string().meta({ description: 'Upstream id of the account' }),
    changes: z.array(change).length(1),
  })
  return z.looseObject({ object: z.string(), entry: z.array(entry).length(1) })
}

/** A field that OFFICIAL numbers pass on, as its receiver sees it. */
export interface DescribedField {
  readonly field: NativeField
  readonly summary: string
  /** Of the body of a delivery. */
  readonly schema: z.ZodType
  readonly example: unknown
}

/** Every field that is passed on, in the order of the document. */
export function describedFields(): DescribedField[] {
  return (Object.keys(NATIVE) as NativeField[]).map((field) => {
    const { summary, value } = NATIVE[field]
    const example = {
      object: 'whatsapp_business_account',
      entry: [{ id: '102290129340398', changes: [{ field, value }] }],
    }
    return { field, summary, schema: envelopeOf(field), example }
  })
}

function delivery({ field, summary, schema, example }: DescribedField): ZodOpenApiOperationObject {
  return {
    operationId: field,
    tags: [GROUP],
    summary,
    description: `OFFICIAL numbers. The envelope of the platform, byte for byte. ${HOW}`,
    security: [],
    parameters: deliveryHeaders(field),
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: RECEIVED,
  }
}

/** What OFFICIAL numbers deliver natively, by field, for the `webhooks` section of the document. */
export function describeNativeEvents(): Record<string, ZodOpenApiPathItemObject> {
  return Object.fromEntries(describedFields().map((described) => [described.field, { post: delivery(described) }]))
}
