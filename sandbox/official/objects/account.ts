import { DONE } from '../http/acted.ts'
import { page, pick, type Fields } from '../http/fields.ts'
import type { OfficialPlatform } from '../platform/platform.ts'
import type { OfficialAccount } from '../registry/registry.ts'
import { verifiedCallback } from '../webhooks/verified-callback.ts'
import type { ObjectKind } from './object.ts'
import { presentPhone } from './phone.ts'

const DEFAULT_ACCOUNT_FIELDS = ['id', 'name', 'currency', 'timezone_id', 'message_template_namespace']

/** An account: its fields, its phone numbers, its templates and Flows, and the apps subscribed to its webhooks. */
export const account: ObjectKind<OfficialAccount> = {
  find({ registry }, { id, accounts }) {
    return accounts.has(id) ? registry.account(id) : null
  },
  edges: {
    'GET ': ({ on, query }) => ({ body: presentAccount(on, query.get('fields')) }),
    'GET phone_numbers': ({ platform, on, query, url }) => {
      const numbers = platform.registry
        .numbersOf(on)
        .map((number) => presentPhone(number, platform.registry, query.get('fields')))
      return { body: page(numbers, query, url) }
    },
    'GET subscribed_apps': ({ platform, on }) => ({ body: { data: subscribedApps(platform, on) } }),
    'POST subscribed_apps': async ({ on, body }) => {
      const overrideUrl = await verifiedCallback(body)
      on.subscription = { overrideUrl }
      return DONE
    },
    'DELETE subscribed_apps': ({ on }) => {
      on.subscription = null
      return DONE
    },
    'GET message_templates': ({ platform, on, query, url }) => ({ body: platform.templates.list(on, query, url) }),
    'POST message_templates': ({ platform, on, body }) => platform.templates.create(on, body),
    'DELETE message_templates': ({ platform, on, query, body }) =>
      platform.templates.delete(on, { ...deletionOf(query), ...body }),
    'GET flows': ({ platform, on, query, url }) => ({ body: platform.flows.list(on, query, url) }),
    'POST flows': ({ platform, on, body }) => platform.flows.create(on, body),
  },
}

/** A list in a query is JSON text. */
function deletionOf(query: URLSearchParams): Fields {
  const { hsm_ids: list, ...rest } = Object.fromEntries(query)
  return { ...rest, ...(list === undefined ? {} : { hsm_ids: list.replaceAll(/[[\]"\s]/g, '').split(',') }) }
}

function subscribedApps({ registry }: OfficialPlatform, account: OfficialAccount): object[] {
  if (!account.subscription) return []
  const { id } = registry.app(account)
  const { overrideUrl } = account.subscription
  return [
    {
      whatsapp_business_api_data: { id, link: `https://sandbox.invalid/apps/${id}`, name: 'Sandbox app' },
      ...(overrideUrl === null ? {} : { override_callback_uri: overrideUrl }),
    },
  ]
}

/** An account as read. */
function presentAccount(account: OfficialAccount, query: string | null): Fields {
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
    ...(account.marketingStatus === null ? {} : { marketing_messages_onboarding_status: account.marketingStatus }),
    health_status: {
      can_send_message: 'AVAILABLE',
      entities: [{ entity_type: 'WABA', id: account.id, can_send_message: 'AVAILABLE' }],
    },
  }
  return pick(fields, query, DEFAULT_ACCOUNT_FIELDS, 'WhatsAppBusinessAccount')
}
