import { startOfficial, type Graph, type OfficialPlayground } from '../official-playground.ts'
import type { Clock } from '../../../../src/ports/clock.ts'

export const FORM = {
  name: 'Sign up',
  questions: [
    { key: 'full_name', label: 'Your name', type: 'FULL_NAME' },
    { key: 'tel', label: 'Your phone', type: 'PHONE' },
    { key: 'why', type: 'CUSTOM' },
  ],
  checkboxes: [{ key: 'yes', text: 'I agree', isRequired: true }, { key: 'news' }],
}

export interface LeadPlayground extends OfficialPlayground {
  /** A Page with one form. */
  readonly page: any
  readonly formId: string
  /** Sends a request with the Page's token. */
  readonly asPage: (method: string, path: string, body?: object) => Promise<Graph>
  /** Sends a request with the id and the secret of the Page's app. */
  readonly asApp: (method: string, path: string, body?: object) => Promise<Graph>
  /** Subscribes the receiver to leads, for the Page and for its app. */
  readonly hear: () => Promise<void>
  readonly submit: (parts?: object, peer?: string) => Promise<string>
}

/** A sandbox with a Page beside the number, and a receiver that can subscribe. */
export async function startLeads(options: { clock?: Clock } = {}): Promise<LeadPlayground> {
  const official = await startOfficial({}, options)
  const { control, graph, receiver } = official
  const page = (await control('POST', '/official/pages', { name: 'Shop', forms: [FORM] })).body
  const formId = page.forms[0].formId as string
  const asPage = (method: string, path: string, body?: object) => graph(method, path, body, page.pageAccessToken)
  const asApp = (method: string, path: string, body?: object) =>
    graph(method, path, body, `${page.appId}|${page.appSecret}`)
  return {
    ...official,
    page,
    formId,
    asPage,
    asApp,
    async hear() {
      await asPage('POST', `${page.pageId}/subscribed_apps`, { subscribed_fields: 'leadgen' })
      await asApp('POST', `${page.appId}/subscriptions`, {
        object: 'page',
        callback_url: receiver.url,
        verify_token: receiver.verifyToken,
        fields: 'leadgen',
      })
    },
    submit: async (parts = {}, peer = '5511990000001') =>
      (await control('POST', `/peers/${peer}/leads`, { formId, ...parts })).body.leadgenId as string,
  }
}
