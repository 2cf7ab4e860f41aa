import { randomInt } from 'node:crypto'
import { connectOfficial, type OfficialNumber } from './official-service.ts'
import type { Answer, PairedNumber, Service } from './service.ts'
import { until } from './until.ts'

/** A number with an account and an app of its own, so that faults can be set for it alone. */
export interface TemplateNumber extends OfficialNumber {
  readonly appId: string
}

export async function connectTemplates(service: Service, seed: object = {}): Promise<TemplateNumber> {
  const appId = String(randomInt(1e12, 9e12))
  return { ...(await connectOfficial(service, { appId, ...seed })), appId }
}

/** A template body that breaks no rule; its text uses `customer`. */
export function givenTemplate(name: string, over: object = {}): Record<string, any> {
  return {
    name,
    category: 'UTILITY',
    language: 'en',
    body: { body: { text: 'Hello {{customer}}, your order is on its way.' } },
    examples: { customer: 'Ana' },
    ...over,
  }
}

/** Creates a template; throws unless it is accepted. */
export async function createTemplate(
  service: Service,
  number: PairedNumber,
  name: string,
  over: object = {},
): Promise<any> {
  return taken(await service.api('POST', '/v1/templates', number.key, givenTemplate(name, over)), 201)
}

/** The body of an answer; throws unless it has the wanted status. */
export function taken({ status, body, text }: Answer, wanted: number): any {
  if (status !== wanted) throw new Error(`${status} in place of ${wanted}: ${text}`)
  return body
}

export async function readTemplate(service: Service, number: PairedNumber, idOrName: string): Promise<any> {
  return (await service.api('GET', `/v1/templates/${idOrName}`, number.key)).body
}

/** Waits until a read of the template passes the check; resolves to it. */
export async function untilTemplate(
  service: Service,
  number: PairedNumber,
  idOrName: string,
  what: string,
  isSo: (template: any) => boolean,
): Promise<any> {
  let last: unknown = null
  return await until(`template ${idOrName} is ${what}`, async () => {
    last = await readTemplate(service, number, idOrName)
    return isSo(last) ? last : null
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${JSON.stringify(last)}`)
  })
}

export async function untilSendable(service: Service, number: PairedNumber, idOrName: string): Promise<any> {
  return await untilTemplate(service, number, idOrName, 'sendable', ({ sendable }) => sendable === true)
}

/** Creates a template that can be sent; on OFFICIAL it has passed its review. */
export async function readyTemplate(
  service: Service,
  number: PairedNumber,
  name: string,
  over: object = {},
): Promise<any> {
  const { id } = await createTemplate(service, number, name, over)
  return await untilSendable(service, number, id)
}

/** All templates of the number's account upstream. */
export async function templatesUpstream(
  service: Service,
  { accountId }: Pick<OfficialNumber, 'accountId'>,
): Promise<any[]> {
  return (await service.control('GET', `/official/templates?accountId=${accountId}`)).body.templates
}

/** All templates of a number here; tests have at most a hundred. */
export async function templatesHere(service: Service, number: PairedNumber): Promise<any[]> {
  return taken(await service.api('GET', '/v1/templates?pageSize=100', number.key), 200).templates
}

/**
 * Makes the next requests of the operation whose path begins like this fail. `id` is that of the account, the app or
 * the template.
 */
export async function failTemplates(service: Service, op: string, id: string, fault: object): Promise<void> {
  taken(await service.control('POST', '/faults', { match: { op, path: `/official/v24.0/${id}` }, ...fault }), 201)
}

/** Requests to the upstream, oldest first. `id` is as in `failTemplates`. */
export async function templateRequests(service: Service, op: string, id: string): Promise<any[]> {
  return (await service.control('GET', `/requests?op=${op}&path=/official/v24.0/${id}`)).body.requests
}

/** Changes a template upstream. */
export async function turnTemplate(service: Service, id: string, turn: object): Promise<any> {
  return taken(await service.control('POST', `/official/templates/${id}`, turn), 200)
}
