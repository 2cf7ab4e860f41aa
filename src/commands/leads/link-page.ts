import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome, Refusal } from '../../domain/errors.ts'
import { invalidBody } from '../../domain/fault.ts'
import { kindOf } from '../../domain/kinds/kinds.ts'
import type { LeadPage } from '../../domain/lead.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { LeadNode } from './node.ts'
import { provePage, subscribePage } from './page-upstream.ts'

export interface LinkPageInput {
  readonly number: NumberRef
  readonly pageId: string
  readonly accessToken: string
  /** Absent: the number's own app and secret, when its kind has an account. */
  readonly appId: string | undefined
  readonly appSecret: string | undefined
}

const ALREADY_LINKED: Refusal = refuse('LEAD_PAGE_ALREADY_LINKED', 'This Page is linked already')
const NO_NUMBER: Refusal = refuse('NUMBER_NOT_FOUND', 'The number was removed meanwhile')

/**
 * Links a Page to a number: proves its token, then subscribes the Page and its app ([leads.linking.1]). Nothing is
 * stored unless upstream took the token and the Page's subscription ([leads.linking.4], [leads.linking.5]). Refusals:
 * VALIDATION without an app or its secret, LEAD_PAGE_REJECTED, LEAD_PAGE_ALREADY_LINKED, OFFICIAL_ERROR,
 * OFFICIAL_THROTTLED, NUMBER_NOT_FOUND.
 */
export async function linkPage(
  node: LeadNode,
  input: LinkPageInput,
): Promise<Outcome<{ readonly page: LeadPage; readonly verifyToken: string }>> {
  const { number, pageId, accessToken } = input
  const app = await appOf(node, input)
  if (!app.ok) return app
  const port = node.pageOf({ pageId, accessToken, ...app.value })
  // The token is proved first: only a caller with a token of the Page learns that it is linked.
  const proved = await provePage(port, pageId)
  if (!proved.ok) return proved
  if (await node.leadPages.load(pageId)) return fail(ALREADY_LINKED)
  const subscribed = await subscribePage(node, port, app.value.appId)
  if (!subscribed.ok) return subscribed
  const created = await node.leadPages.create({
    pageId,
    pageName: proved.value,
    tenantId: number.tenantId,
    channelNumberId: number.id,
    ...app.value,
    accessToken,
    webhookStatus: subscribed.value,
  })
  if (created.kind !== 'created') return fail(created.kind === 'taken' ? ALREADY_LINKED : NO_NUMBER)
  await node.appSecrets.forget(app.value.appId)
  return succeed({ page: created.page, verifyToken: node.pageVerifyToken(app.value.appId) })
}

/** The number's own secret is used only with the number's own app. */
async function appOf(
  { official }: LeadNode,
  { number, appId: given, appSecret: givenSecret }: LinkPageInput,
): Promise<Outcome<{ readonly appId: string; readonly appSecret: string }>> {
  const own = kindOf(number).hasAccount ? await official.credentials(number.tenantId, number.id) : null
  const appId = given ?? own?.appId ?? null
  const appSecret = givenSecret ?? (appId === own?.appId ? own?.appSecret : null) ?? null
  if (appId !== null && appSecret !== null) return succeed({ appId, appSecret })
  const missing = [...(appId === null ? ['appId'] : []), ...(appSecret === null ? ['appSecret'] : [])]
  return fail(invalidBody(missing.map((path) => ({ path, message: 'is needed: the number has none to take' }))))
}
