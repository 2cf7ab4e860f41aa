import { randomInt } from 'node:crypto'
import { connectOfficial, type OfficialBenchNumber } from '../posts.ts'
import { postJson, type Installation } from '../programs.ts'

const QUESTIONS = [
  { key: 'full_name', label: 'Your name', type: 'FULL_NAME' },
  { key: 'email', label: 'Your e-mail', type: 'EMAIL' },
  { key: 'phone_number', label: 'Your phone', type: 'PHONE' },
]

/** A Page of the sandbox that is linked to a number. */
export interface BenchPage {
  readonly number: OfficialBenchNumber
  readonly pageId: string
  readonly formId: string
  readonly appSecret: string
  /** The address at which the upstream posts notices of its leads. */
  readonly webhookUrl: string
}

export function controlUrl({ gateway }: Pick<Installation, 'gateway'>, path: string): string {
  return `http://127.0.0.1:${gateway.sandboxPort}/control${path}`
}

/** Connects a number and links Pages to it, all of one app. */
export async function linkPages(installation: Installation, digits: string, count: number): Promise<BenchPage[]> {
  const number = await connectOfficial(installation, digits)
  const appId = String(randomInt(1e12, 9e12))
  const pages: BenchPage[] = []
  for (let made = 0; made < count; made++) {
    const { pageId, pageAccessToken, appSecret, forms } = await postJson(controlUrl(installation, '/official/pages'), {
      name: 'Bench',
      appId,
      forms: [{ questions: QUESTIONS }],
    })
    const { webhook } = await postJson(
      `http://127.0.0.1:${installation.gateway.port}/v1/lead-pages`,
      { pageId, pageAccessToken, appId, appSecret, channelNumberId: number.id },
      { 'x-api-key': installation.tenantKey },
    )
    if (webhook.status !== 'SUBSCRIBED') throw new Error(`the webhook is ${webhook.status}`)
    pages.push({
      number,
      pageId,
      formId: forms[0].formId,
      appSecret,
      webhookUrl: webhook.url.replace('localhost', '127.0.0.1'),
    })
  }
  return pages
}

/** Ids as the upstream writes them: digits, each unique. */
let lastId = 900_000_000_000_000_000n

export function newLeadgenId(): string {
  return String(++lastId)
}
