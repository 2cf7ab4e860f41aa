import { invalid } from './graph-error.ts'
import type { OfficialAccount, OfficialNumber, Registry } from './registry.ts'

type Fields = Readonly<Record<string, unknown>>

const DEFAULT_PHONE_FIELDS = [
  'id', 'verified_name', 'code_verification_status', 'display_phone_number', 'quality_rating', 'platform_type', 'throughput', 'webhook_configuration',
]
const DEFAULT_ACCOUNT_FIELDS = ['id', 'name', 'currency', 'timezone_id', 'message_template_namespace']

/** Country code apart, as upstream prints numbers. */
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

/** Names asked for at the top; what stands in braces is not narrowed. */
function wanted(query: string | null, defaults: readonly string[]): readonly string[] {
  if (query === null || query.trim() === '') return defaults
  let names = query
  for (let before = ''; names !== before;) {
    before = names
    names = names.replaceAll(/\{[^{}]*\}/g, '')
  }
  return ['id', ...names.split(',').map((name) => name.trim()).filter(Boolean)]
}

function pick(fields: Fields, names: readonly string[], node: string): Fields {
  const unknown = names.find((name) => !(name in fields))
  if (unknown !== undefined) throw invalid(`Tried accessing nonexisting field (${unknown}) on node type (${node})`)
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}

/** A phone number as read: the fields asked for, or those that upstream gives by itself. */
export function presentPhone(number: OfficialNumber, registry: Registry, query: string | null): Fields {
  return pick(phoneFields(number, registry), wanted(query, DEFAULT_PHONE_FIELDS), 'WhatsAppBusinessPhoneNumber')
}

/** An account as read. */
export function presentAccount(account: OfficialAccount, query: string | null): Fields {
  const fields = {
    id: account.id,
    name: `Sandbox account ${account.id.slice(-4)}`,
    currency: 'USD',
    timezone_id: '1',
    message_template_namespace: `sandbox_${account.id}`,
    account_review_status: 'APPROVED',
    business_verification_status: 'verified',
    ownership_type: 'CLIENT_OWNED',
    status: 'ACTIVE',
    health_status: { can_send_message: 'AVAILABLE', entities: [{ entity_type: 'WABA', id: account.id, can_send_message: 'AVAILABLE' }] },
  }
  return pick(fields, wanted(query, DEFAULT_ACCOUNT_FIELDS), 'WhatsAppBusinessAccount')
}

/** A page of a list, by `limit`, `after` and `before`. `next` and `previous` are there while there is more. */
export function page(items: readonly Fields[], query: URLSearchParams, url: string): object {
  const limit = Math.max(1, Math.min(100, Number(query.get('limit') ?? 25) || 25))
  const [after, before] = [fromCursor(query.get('after')), fromCursor(query.get('before'))]
  const from = after === null ? Math.max(0, (before ?? 0) - limit) : after + 1
  const data = items.slice(from, from + limit)
  if (data.length === 0) return { data }
  const cursors = { before: toCursor(from), after: toCursor(from + data.length - 1) }
  const link = (name: 'after' | 'before'): string => {
    const target = new URLSearchParams(query)
    target.delete('after')
    target.delete('before')
    target.set(name, cursors[name])
    return `${url}?${target.toString()}`
  }
  const hasNext = from + data.length < items.length
  return { data, paging: { cursors, ...(hasNext ? { next: link('after') } : {}), ...(from > 0 ? { previous: link('before') } : {}) } }
}

function toCursor(index: number): string {
  return Buffer.from(`at ${index}`).toString('base64url')
}

function fromCursor(text: string | null): number | null {
  const [, index] = /^at (\d+)$/.exec(text === null ? '' : Buffer.from(text, 'base64url').toString()) ?? []
  return index === undefined ? null : Number(index)
}
