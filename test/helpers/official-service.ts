import { createHmac, randomInt } from 'node:crypto'
import type { PairedNumber, Service } from './service.ts'
import { until } from './until.ts'

/** A number of the sandbox's official platform that is connected to the service. */
export interface OfficialNumber extends PairedNumber {
  readonly phoneId: string
  readonly accountId: string
  readonly appSecret: string
  readonly accessToken: string
  readonly webhookUrl: string
  readonly verifyToken: string
  /** The answer to the connect request. */
  readonly created: any
}

/** An offer that is valid but leads nowhere; the platform answers it with a real description. */
export const TEXT_OFFER = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'c=IN IP4 0.0.0.0',
  'a=rtpmap:111 opus/48000/2',
  'a=setup:active',
  `a=fingerprint:sha-256 ${Array(32).fill('AA').join(':')}`,
  '',
].join('\r\n')

/** Seeds a number on the official platform, which is not connected yet. */
export async function seedOfficial(service: Service, seed: object = {}): Promise<any> {
  const { status, body, text } = await service.control('POST', '/official/numbers', {
    number: `5511${randomInt(10 ** 8, 10 ** 9)}`,
    ...seed,
  })
  if (status !== 201) throw new Error(`not seeded: ${text}`)
  return body
}

/** The body that connects a seeded number. */
export function connectBody(seeded: any): Record<string, unknown> {
  return {
    name: 'Official',
    number: seeded.number,
    officialPhoneId: seeded.phoneId,
    officialAccountId: seeded.accountId,
    officialAccessToken: seeded.accessToken,
    officialAppId: seeded.appId,
    officialAppSecret: seeded.appSecret,
  }
}

/** Seeds a number and connects it. */
export async function connectOfficial(
  service: Service,
  seed: object = {},
  tenantKey: string = service.tenantKey,
): Promise<OfficialNumber> {
  const seeded = await seedOfficial(service, seed)
  const { status, body, text } = await service.api('POST', '/v1/numbers/official', tenantKey, connectBody(seeded))
  if (status !== 201) throw new Error(`not connected: ${status} ${text}`)
  const { phoneId, accountId, appSecret, accessToken, number: digits } = seeded
  return {
    id: body.id,
    digits,
    key: body.apiKey.key,
    phoneId,
    accountId,
    appSecret,
    accessToken,
    webhookUrl: body.webhookUrl,
    verifyToken: body.verifyToken,
    created: body,
  }
}

/** Has the user permit calls of the number. */
export async function permit(service: Service, number: OfficialNumber, user: string): Promise<void> {
  const { status, text } = await service.control('POST', `/peers/${user}/permissions`, {
    to: number.digits,
    response: 'accept',
  })
  if (status !== 200) throw new Error(`not permitted: ${text}`)
}

/** Places a call of the business; throws unless the upstream accepts it. */
export async function placeOfficial(
  service: Service,
  number: OfficialNumber,
  to: string,
  more: object = {},
): Promise<{ id: string; externalCallId: string }> {
  const { status, body, text } = await service.api('POST', '/v1/calls', number.key, { to, sdp: TEXT_OFFER, ...more })
  if (status !== 201) throw new Error(`not placed: ${status} ${text}`)
  return body
}

/** A user calls the number; resolves to the call once the service has it. */
export async function ringOfficial(
  service: Service,
  number: OfficialNumber,
  user: string,
  more: object = {},
): Promise<any> {
  const rung = await service.control('POST', `/peers/${user}/calls`, { to: number.digits, audio: 'silence', ...more })
  if (rung.status !== 201) throw new Error(`not rung: ${rung.text}`)
  return await until('the call rings', async () => {
    const { status, body } = await service.api('GET', `/v1/calls/${rung.body.callId}?includeSdp=1`, number.key)
    return status === 200 ? body : null
  })
}

/** Posts to the number's webhook as the upstream does, signed with code of its own. */
export async function postSigned(
  number: OfficialNumber,
  body: string | Buffer,
  signature?: string,
): Promise<{ status: number; ms: number }> {
  const bytes = Buffer.from(body)
  const own = `sha256=${createHmac('sha256', number.appSecret).update(bytes).digest('hex')}`
  const startMs = performance.now()
  const response = await fetch(number.webhookUrl, {
    method: 'POST',
    body: bytes,
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature ?? own },
  })
  await response.arrayBuffer()
  return { status: response.status, ms: performance.now() - startMs }
}

/** Names of the number's stored call events for one call, in order. */
export async function callEvents(service: Service, number: OfficialNumber, callId: string): Promise<string[]> {
  return (await service.events(number))
    .filter(({ event, data }) => event.startsWith('call.') && data.id === callId)
    .map(({ event }) => event)
}

/** An upstream body as text, so that its bytes are known. */
export function batch(number: OfficialNumber, changes: readonly string[]): string {
  return `{"object":"whatsapp_business_account","entry":[{"id":"${number.accountId}","changes":[${changes.join(',')}]}]}`
}
