import type { OfficialPlatform } from './platform/platform.ts'

/** A request before it is answered. */
interface Asking {
  readonly method: string
  readonly id: string
  readonly edge: string
}

/** Operations by method and edge. */
const BY_EDGE: ReadonlyMap<string, string> = new Map([
  ['GET message_templates', 'template.list'],
  ['POST message_templates', 'template.create'],
  ['DELETE message_templates', 'template.delete'],
  ['POST unpause', 'template.unpause'],
  ['POST uploads', 'upload.start'],
  ['GET flows', 'flow.list'],
  ['POST flows', 'flow.create'],
  ['GET assets', 'flow.assets'],
  ['POST assets', 'flow.asset'],
  ['POST publish', 'flow.publish'],
  ['POST deprecate', 'flow.deprecate'],
  ['POST marketing_messages', 'message.marketing'],
  ['GET whatsapp_business_encryption', 'encryption.read'],
  ['POST whatsapp_business_encryption', 'encryption.set'],
  ['GET leadgen_forms', 'page.forms'],
  ['GET leads', 'leads.list'],
  ['GET adaccounts', 'ads.accounts'],
  ['GET subscriptions', 'app.webhook'],
  ['POST subscriptions', 'app.subscribe'],
])
/** Operations of edges that accounts have too. */
const OF_PAGES: ReadonlyMap<string, string> = new Map([
  ['GET ', 'page.read'],
  ['GET subscribed_apps', 'page.apps'],
  ['POST subscribed_apps', 'page.subscribe'],
  ['DELETE subscribed_apps', 'page.unsubscribe'],
])
const OF_TEMPLATES: ReadonlyMap<string, string> = new Map([
  ['GET', 'template.read'],
  ['POST', 'template.edit'],
])
const OF_FLOWS: ReadonlyMap<string, string> = new Map([
  ['GET', 'flow.read'],
  ['POST', 'flow.update'],
  ['DELETE', 'flow.delete'],
])
const OF_UPLOADS: ReadonlyMap<string, string> = new Map([
  ['GET', 'upload.read'],
  ['POST', 'upload.write'],
])

/** The name that faults and the ledger know a request by; null when its path says everything. */
export function operationOf(platform: OfficialPlatform, { method, id, edge }: Asking): string | null {
  const ofPage = platform.leadAds.pages.find(id) ? OF_PAGES.get(`${method} ${edge}`) : undefined
  if (ofPage !== undefined) return ofPage
  if (edge !== '') return BY_EDGE.get(`${method} ${edge}`) ?? null
  if (id.startsWith('upload:')) return OF_UPLOADS.get(method) ?? null
  return ofObject(platform, id)?.get(method) ?? null
}

const OF_FORMS: ReadonlyMap<string, string> = new Map([['GET', 'form.read']])
const OF_LEADS: ReadonlyMap<string, string> = new Map([['GET', 'lead.read']])
const OF_ADS: ReadonlyMap<string, string> = new Map([['GET', 'ad.read']])

/** Operations on an object itself. */
function ofObject(
  { templates, flows, leadAds: { pages, leads, ads } }: OfficialPlatform,
  id: string,
): ReadonlyMap<string, string> | null {
  if (flows.shelf.find(id)) return OF_FLOWS
  if (templates.shelf.find(id)) return OF_TEMPLATES
  if (pages.form(id)) return OF_FORMS
  if (leads.find(id)) return OF_LEADS
  return ads.find(id) ? OF_ADS : null
}
