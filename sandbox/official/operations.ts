import type { OfficialPlatform } from './platform.ts'

/** What a request shows of itself before it is answered. */
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
  ['GET whatsapp_business_encryption', 'encryption.read'],
  ['POST whatsapp_business_encryption', 'encryption.set'],
])
const OF_TEMPLATES: ReadonlyMap<string, string> = new Map([['GET', 'template.read'], ['POST', 'template.edit']])
const OF_FLOWS: ReadonlyMap<string, string> = new Map([['GET', 'flow.read'], ['POST', 'flow.update'], ['DELETE', 'flow.delete']])
const OF_UPLOADS: ReadonlyMap<string, string> = new Map([['GET', 'upload.read'], ['POST', 'upload.write']])

/** The name that faults and the ledger know a request by; null where its path says all. */
export function operationOf({ templates, flows }: OfficialPlatform, { method, id, edge }: Asking): string | null {
  if (edge !== '') return BY_EDGE.get(`${method} ${edge}`) ?? null
  if (id.startsWith('upload:')) return OF_UPLOADS.get(method) ?? null
  if (flows.shelf.find(id)) return OF_FLOWS.get(method) ?? null
  return templates.shelf.find(id) ? OF_TEMPLATES.get(method) ?? null : null
}
