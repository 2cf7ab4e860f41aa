import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'
import { atRate } from './at-rate.ts'
import { postJson, type Installation } from './programs.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 256 })

/** Closes the connections of all posts of this process; a bench does this last. */
export function closePosts(): void {
  agent.destroy()
}

/** Posts bytes; resolves to the time of the answer in ms. Throws unless it is 200. */
export function post(url: string, body: Buffer, headers: Readonly<Record<string, string>>): Promise<number> {
  const startMs = performance.now()
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', 'content-length': body.length, ...headers },
      },
      (response) => {
        response.resume()
        response.on('end', () =>
          response.statusCode === 200
            ? resolve(performance.now() - startMs)
            : reject(new Error(`answered ${response.statusCode}`)),
        )
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })
}

export interface Post {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
  /** The address, when it differs from the target's. */
  readonly url?: string
}

/** Where posts go, and what the next one is. */
export interface Target {
  readonly url: string
  next(): Post
}

/**
 * Sends `perSecond` posts a second for `seconds`, however long the answers take. Resolves to their times in ms, sorted.
 */
export async function steady({ url, next }: Target, perSecond: number, seconds: number): Promise<number[]> {
  const times = await atRate(perSecond, perSecond * seconds, () => {
    const { body, headers, url: own = url } = next()
    return post(own, body, headers)
  })
  return times.toSorted((a, b) => a - b)
}

/** A connected number of the sandbox's official platform. */
export interface OfficialBenchNumber {
  readonly id: string
  readonly key: string
  readonly number: string
  readonly accountId: string
  readonly phoneId: string
  readonly appSecret: string
  readonly webhookUrl: string
}

export async function connectOfficial(
  { gateway, tenantKey }: Pick<Installation, 'gateway' | 'tenantKey'>,
  number: string,
): Promise<OfficialBenchNumber> {
  const seeded = await postJson(`http://127.0.0.1:${gateway.sandboxPort}/control/official/numbers`, { number })
  const { id, apiKey, webhookUrl } = await postJson(
    `http://127.0.0.1:${gateway.port}/v1/numbers/official`,
    {
      name: 'Bench',
      number: seeded.number,
      officialPhoneId: seeded.phoneId,
      officialAccountId: seeded.accountId,
      officialAccessToken: seeded.accessToken,
      officialAppId: seeded.appId,
      officialAppSecret: seeded.appSecret,
    },
    { 'x-api-key': tenantKey },
  )
  const { accountId, phoneId, appSecret } = seeded
  return {
    id,
    key: apiKey.key,
    number: seeded.number,
    accountId,
    phoneId,
    appSecret,
    webhookUrl: webhookUrl.replace('localhost', '127.0.0.1'),
  }
}

/** A post with the upstream's signature. */
export function signedPost(appSecret: string, said: unknown): Post {
  const body = Buffer.from(JSON.stringify(said))
  return {
    body,
    headers: { 'x-hub-signature-256': `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}` },
  }
}

/** A change of field `messages` as the upstream posts it. */
export function messagesPost({ accountId, phoneId, appSecret, number }: OfficialBenchNumber, more: object): Post {
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: number, phone_number_id: phoneId },
    ...more,
  }
  return signedPost(appSecret, {
    object: 'whatsapp_business_account',
    entry: [{ id: accountId, changes: [{ field: 'messages', value }] }],
  })
}
