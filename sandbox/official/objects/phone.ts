import { isRegistered } from '../../devices/behaviours.ts'
import { isCallingEnabled, readCalling, writeCalling } from '../calls/calling-settings.ts'
import { readPublicKey } from '../flows/public-key.ts'
import { DONE } from '../http/acted.ts'
import { pick, type Fields } from '../http/fields.ts'
import { GraphError, invalid } from '../http/graph-error.ts'
import type { OfficialNumber, Registry } from '../registry/registry.ts'
import { verifiedCallback } from '../webhooks/verified-callback.ts'
import type { ObjectKind } from './object.ts'

const DEFAULT_PHONE_FIELDS = [
  'id',
  'verified_name',
  'code_verification_status',
  'display_phone_number',
  'quality_rating',
  'platform_type',
  'throughput',
  'webhook_configuration',
]

/** A phone number: its fields, settings and webhook, and sends, uploads and calls through it. */
export const phone: ObjectKind<OfficialNumber> = {
  find({ registry }, { id, accounts }) {
    const number = registry.number(id)
    return number && accounts.has(number.accountId) ? number : null
  },
  edges: {
    'GET ': ({ platform, on, query }) => ({ body: presentPhone(on, platform.registry, query.get('fields')) }),
    'POST ': async ({ on, body }) => {
      const { webhook_configuration: wanted } = body
      if (typeof wanted !== 'object' || wanted === null)
        throw invalid('webhook_configuration: is the only thing that can be set')
      on.webhookUrl = await verifiedCallback({ ...wanted })
      return DONE
    },
    'GET settings': ({ on, query }) => ({
      body: { calling: readCalling(on, query.get('include_sip_credentials') === 'true') },
    }),
    'POST settings': ({ platform, on, body }) => {
      const isAnnounced = writeCalling(on, body, platform.registry)
      return { ...DONE, ...(isAnnounced ? { after: () => platform.numberChanges.announceSettings(on) } : {}) }
    },
    'POST calls': ({ platform, on, body }) => {
      if (body['messaging_product'] !== 'whatsapp') throw invalid('The parameter messaging_product is required')
      return platform.calls.act(on, body)
    },
    'GET call_permissions': ({ platform, on, query }) => {
      const user = platform.names.read(
        query.get('user_wa_id') ?? (query.has('recipient') ? null : ''),
        query.get('recipient'),
      )
      if (!isCallingEnabled(on))
        throw new GraphError(138000, { details: 'Calling is not enabled for this phone number' })
      // A user who cannot be called has not permitted it; that is no error.
      if (!isRegistered(user))
        return { body: { messaging_product: 'whatsapp', permission: { status: 'no_permission' }, actions: [] } }
      return { body: platform.permissions.present(on, user) }
    },
    'POST media': ({ platform, on, form, query }) => {
      if (!form) throw new GraphError(100, { message: '(#100) The parameter file is required.' })
      // Upstream takes parameters of a post from its query too, as some clients give them.
      const fields = { ...Object.fromEntries(query), ...form.fields }
      return { body: { id: platform.messaging.media.upload(on, { ...form, fields }) } }
    },
    // Without a key the list is empty; upstream does not say what it answers then.
    'GET whatsapp_business_encryption': ({ on }) => ({
      body: {
        data:
          on.businessPublicKey === null
            ? []
            : [{ business_public_key: on.businessPublicKey, business_public_key_signature_status: 'VALID' }],
      },
    }),
    'POST whatsapp_business_encryption': ({ on, body }) => {
      on.businessPublicKey = readPublicKey(body)
      return DONE
    },
    'POST messages': ({ platform, on, body }) => platform.messaging.messages.act(on, body),
    'POST marketing_messages': ({ platform, on, body }) =>
      platform.messaging.messages.actMarketing(on, body, platform.registry.accountOf(on).marketingStatus),
  },
}

/** A phone number as read: the fields asked for, or those that upstream gives by itself. */
export function presentPhone(number: OfficialNumber, registry: Registry, query: string | null): Fields {
  return pick(phoneFields(number, registry), query, DEFAULT_PHONE_FIELDS, 'WhatsAppBusinessPhoneNumber')
}

/** A number with its country code apart, as upstream prints it. */
function display(number: string): string {
  const codeLength = number.startsWith('1') || number.startsWith('7') ? 1 : 2
  return `+${number.slice(0, codeLength)} ${number.slice(codeLength)}`
}

function healthOf({ phoneId, accountId, status }: OfficialNumber, appId: string): object {
  const canSend = status === 'CONNECTED' ? 'AVAILABLE' : status === 'FLAGGED' ? 'LIMITED' : 'BLOCKED'
  return {
    can_send_message: canSend,
    entities: [
      { entity_type: 'PHONE_NUMBER', id: phoneId, can_send_message: canSend },
      { entity_type: 'WABA', id: accountId, can_send_message: 'AVAILABLE' },
      { entity_type: 'APP', id: appId, can_send_message: 'AVAILABLE' },
    ],
  }
}

function phoneFields(number: OfficialNumber, registry: Registry): Fields {
  const account = registry.accountOf(number)
  const app = registry.app(account)
  return {
    id: number.phoneId,
    display_phone_number: display(number.number),
    verified_name: number.verifiedName,
    quality_rating: number.qualityRating,
    quality_score: { score: number.qualityRating },
    code_verification_status: number.codeVerificationStatus,
    name_status: number.nameStatus,
    new_name_status: 'NONE',
    status: number.status,
    platform_type: 'CLOUD_API',
    throughput: { level: number.throughputLevel },
    account_mode: number.accountMode,
    is_official_business_account: false,
    is_pin_enabled: true,
    is_on_biz_app: false,
    messaging_limit_tier: number.messagingLimitTier,
    whatsapp_business_manager_messaging_limit: number.messagingLimitTier,
    webhook_configuration: {
      ...(app.callbackUrl === null ? {} : { application: app.callbackUrl }),
      ...(account.subscription?.overrideUrl ? { whatsapp_business_account: account.subscription.overrideUrl } : {}),
      ...(number.webhookUrl === null ? {} : { phone_number: number.webhookUrl }),
    },
    health_status: healthOf(number, app.id),
  }
}
