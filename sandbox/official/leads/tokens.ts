import { createHmac } from 'node:crypto'
import type { AdBook } from '../ads/ad-book.ts'
import type { OfficialApp, Registry } from '../registry/registry.ts'
import type { PageBook } from './page-book.ts'

/** What a token opens. */
export interface Opened {
  /** Accounts of numbers. */
  readonly accounts: ReadonlySet<string>
  readonly pages: ReadonlySet<string>
  /** Ad accounts that are shared with the token. */
  readonly adAccounts: ReadonlySet<string>
  /** The app of a token `id|secret`, which opens nothing else; null for other tokens. */
  readonly appId: string | null
}

export interface TokenParts {
  readonly registry: Registry
  readonly pages: PageBook
  readonly ads: AdBook
}

const APP_TOKEN = /^(\d+)\|(.+)$/

/** What a token opens, which may be several things: null for an unknown one, `expired` for one that was valid once. */
export function opensAll({ registry, pages, ads }: TokenParts, token: string): Opened | 'expired' | null {
  const app = appOf(registry, token)
  const accounts = registry.opens(token)
  const page = pages.byToken(token)
  const adAccounts = ads.byToken(token)
  if (!app && accounts === null && !page && !adAccounts) return null
  if (accounts === 'expired' || page?.isTokenExpired) return 'expired'
  return {
    accounts: accounts ?? new Set(),
    pages: new Set(page ? [page.id] : []),
    adAccounts: new Set((adAccounts ?? []).filter(({ isShared }) => isShared).map(({ id }) => id)),
    appId: app?.id ?? null,
  }
}

function appOf(registry: Registry, token: string): OfficialApp | null {
  const [, appId = '', secret] = APP_TOKEN.exec(token) ?? []
  const app = registry.appById(appId)
  return app?.secret === secret ? app : null
}

/**
 * True when `proof` shows that the caller knows the secret of the token's app. Nothing tells the app of a token of ads,
 * so any app's secret will do.
 */
export function isProof(registry: Registry, pages: PageBook, token: string, proof: string): boolean {
  const ownIds = new Set(
    [
      pages.byToken(token)?.appId,
      ...registry
        .numbers()
        .filter((number) => number.token === token)
        .map((number) => registry.accountOf(number).appId),
    ].filter((id) => id !== undefined),
  )
  const apps = ownIds.size === 0 ? registry.apps() : registry.apps().filter(({ id }) => ownIds.has(id))
  return apps.some(({ secret }) => createHmac('sha256', secret).update(token).digest('hex') === proof)
}
