import type { PageWebhookStatus } from '../../src/domain/lead.ts'
import type { PageCredentials, PagePort, UpstreamForm, UpstreamRead } from '../../src/ports/official/pages.ts'
import type { UpstreamNo } from '../../src/ports/official/write.ts'

/** A refusal of the upstream. */
export function no(upstreamCode: number | null, upstreamMessage: string): UpstreamNo {
  return { upstreamCode, upstreamSubcode: null, upstreamMessage }
}

export const TOKEN_DEAD = { kind: 'token-dead', no: no(190, 'Error validating access token: it has expired') } as const
export const AWAY = { kind: 'failed', no: no(null, 'The platform did not answer') } as const
export const THROTTLED = { kind: 'throttled', no: no(32, 'Page request limit reached'), waitMs: 60_000 } as const

export interface ScriptedPage {
  readonly pageId: string
  pageName: string | null
  /** The valid tokens of the Page. */
  tokens: string[]
  readonly appSecret: string
  forms: UpstreamForm[]
  isSubscribed: boolean
  /** The state of the app's own subscription. */
  webhook: UpstreamRead<PageWebhookStatus>
}

type Op = keyof PagePort
type Scripted<K extends Op> = (
  credentials: PageCredentials,
  ...args: Parameters<PagePort[K]>
) => Awaited<ReturnType<PagePort[K]>> | undefined

/**
 * Scripted Pages of the upstream. A wrong token or app secret is refused as the upstream does; requests are recorded,
 * and scripted answers take precedence.
 */
export class ScriptedPages {
  readonly pages = new Map<string, ScriptedPage>()
  readonly asked: { readonly op: Op; readonly credentials: PageCredentials; readonly args: readonly unknown[] }[] = []
  script: { [K in Op]?: Scripted<K> } = {}
  /** The number of forms on a page of a listing. */
  perPage = 100

  add(pageId: string, fields: Partial<ScriptedPage> = {}): ScriptedPage {
    const page: ScriptedPage = {
      pageId,
      pageName: `Page ${pageId}`,
      tokens: [`token-${pageId}`],
      appSecret: 'app-secret',
      forms: [],
      isSubscribed: false,
      webhook: { kind: 'read', value: 'SUBSCRIBED' },
      ...fields,
    }
    this.pages.set(pageId, page)
    return page
  }

  readonly pageOf = (credentials: PageCredentials): PagePort => {
    const ask = async <K extends Op>(
      op: K,
      answer: (page: ScriptedPage, ...args: Parameters<PagePort[K]>) => unknown,
      ...args: Parameters<PagePort[K]>
    ): Promise<any> => {
      this.asked.push({ op, credentials, args })
      const scripted = (this.script[op] as Scripted<K> | undefined)?.(credentials, ...args)
      return scripted ?? this.#refusal(credentials) ?? answer(this.#page(credentials), ...args)
    }
    return {
      read: () => ask('read', ({ pageId, pageName }) => ({ kind: 'read', value: { pageId, pageName } })),
      subscribe: () =>
        ask('subscribe', (page) => {
          page.isSubscribed = true
          return { kind: 'read', value: null }
        }),
      unsubscribe: () =>
        ask('unsubscribe', (page) => {
          page.isSubscribed = false
          return { kind: 'read', value: null }
        }),
      subscribeApp: (...args) => ask('subscribeApp', ({ webhook }) => webhook, ...args),
      appWebhook: (...args) => ask('appWebhook', ({ webhook }) => webhook, ...args),
      forms: (...args) =>
        ask(
          'forms',
          ({ forms }, after) => {
            const from = Number(after ?? 0)
            const to = from + this.perPage
            return {
              kind: 'read',
              value: { forms: forms.slice(from, to), next: to < forms.length ? String(to) : null },
            }
          },
          ...args,
        ),
      form: (...args) =>
        ask(
          'form',
          (_page, formId) => ({
            kind: 'read',
            value:
              [...this.pages.values()].flatMap(({ forms }) => forms).find((form) => form.formId === formId) ?? null,
          }),
          ...args,
        ),
      lead: (...args) => ask('lead', () => ({ kind: 'refused', no: no(100, 'Unsupported get request') }), ...args),
      leadsOf: (...args) => ask('leadsOf', () => ({ kind: 'read', value: { leads: [], next: null } }), ...args),
    }
  }

  #page({ accessToken }: PageCredentials): ScriptedPage {
    const page = [...this.pages.values()].find(({ tokens }) => tokens.includes(accessToken))
    if (!page) throw new Error('asked with a token that was refused')
    return page
  }

  /** The proof of a token is made with the app secret. */
  #refusal({ accessToken, appSecret }: PageCredentials): UpstreamRead<never> | null {
    const page = [...this.pages.values()].find(({ tokens }) => tokens.includes(accessToken))
    if (!page) return TOKEN_DEAD
    return page.appSecret === appSecret
      ? null
      : { kind: 'refused', no: no(100, 'Invalid appsecret_proof provided in the API argument') }
  }
}
