import { createHash } from 'node:crypto'
import { UPSTREAM_FIELDS } from '../../../src/domain/upstream-fields.ts'
import { newId, newToken } from './ids.ts'
import type { AccountSeed, AppSeed, NumberPatch, NumberSeed } from './seeds.ts'

/** The fields that an app may subscribe to. */
const WEBHOOK_FIELDS = Object.keys(UPSTREAM_FIELDS).toSorted()

export interface OfficialApp {
  readonly id: string
  secret: string
  /** Callback of changes without an override; null until one is set. */
  callbackUrl: string | null
  fields: Set<string>
  /** Callback of changes of its Pages; null until one is set. */
  pageWebhook: { readonly callbackUrl: string; readonly fields: ReadonlySet<string> } | null
}

export interface OfficialAccount {
  readonly id: string
  readonly appId: string
  /** Null while no app is subscribed to the account's changes. */
  subscription: { readonly overrideUrl: string | null } | null
  /** False when its templates can have no buttons that ask for a payment. */
  hasPaymentButtons: boolean
  /** Upstream's word for how far its marketing messages are let in; null where the API does not know the field. */
  marketingStatus: string | null
}

export interface OfficialNumber {
  readonly phoneId: string
  readonly accountId: string
  /** Digits. */
  readonly number: string
  token: string
  isTokenExpired: boolean
  verifiedName: string
  messagingLimitTier: string
  /** True when templates to more people than the messaging limit names are refused. */
  isTierEnforced: boolean
  qualityRating: string
  status: string
  nameStatus: string
  codeVerificationStatus: string
  accountMode: 'LIVE' | 'SANDBOX'
  throughputLevel: string
  /** The `calling` object of the settings; a field that was never set is absent. */
  calling: Record<string, unknown>
  restrictions: readonly unknown[]
  /** False when business-initiated calls are not offered (138013). */
  canBusinessCall: boolean
  /** True when calls without media are ended: 20 s after the answer, and 30 s later on. */
  hasMediaWatchdog: boolean
  /** Whether a closed window shows in the answer of a text message or in a failed status: upstream does both. */
  windowErrors: 'answer' | 'status'
  /** Limits of messages; null without any. */
  throughput: { readonly perSecond?: number | undefined; readonly pairBurst?: number | undefined } | null
  /** Callback of the number, which precedes the account's override. */
  webhookUrl: string | null
  /** PEM of the key for requests to the endpoint of Flows; null while none was set. */
  businessPublicKey: string | null
}

/** A secret that stays the same for an app over restarts, so that a gateway's stored secret stays valid. */
function secretOf(appId: string): string {
  return createHash('sha256').update(`sandbox app ${appId}`).digest('hex').slice(0, 32)
}

/** What upstream thinks of a number, unless a seed says otherwise. */
const APPROVED = {
  messagingLimitTier: 'TIER_2K',
  isTierEnforced: false,
  qualityRating: 'GREEN',
  status: 'CONNECTED',
  nameStatus: 'APPROVED',
  codeVerificationStatus: 'VERIFIED',
  accountMode: 'LIVE',
  throughputLevel: 'STANDARD',
} as const

/** Apps, accounts and numbers of the official platform, and what tokens open. */
export class Registry {
  readonly #apps = new Map<string, OfficialApp>()
  readonly #accounts = new Map<string, OfficialAccount>()
  readonly #numbers = new Map<string, OfficialNumber>()
  readonly #byDigits = new Map<string, OfficialNumber>()
  readonly #byToken = new Map<string, OfficialNumber[]>()

  /** Makes the app, or gives a known one the secret. */
  addApp({ appId = newId(), appSecret }: AppSeed): OfficialApp {
    const known = this.#apps.get(appId)
    if (known && appSecret !== undefined) known.secret = appSecret
    const app = known ?? {
      id: appId,
      secret: appSecret ?? secretOf(appId),
      callbackUrl: null,
      fields: new Set(WEBHOOK_FIELDS),
      pageWebhook: null,
    }
    this.#apps.set(appId, app)
    return app
  }

  addAccount({ accountId = newId(), ...seed }: AccountSeed): OfficialAccount {
    const { id: appId } = this.addApp(seed)
    const account: OfficialAccount = {
      id: accountId,
      appId,
      subscription: null,
      hasPaymentButtons: true,
      marketingStatus: 'ELIGIBLE',
    }
    this.#accounts.set(accountId, account)
    return account
  }

  /** Makes the number, with its account and app when they are new. */
  addNumber({
    number,
    phoneId = newId(),
    accountId,
    appId,
    appSecret,
    accessToken,
    ...rest
  }: NumberSeed & { readonly number: string }): OfficialNumber {
    const known = accountId === undefined ? undefined : this.#accounts.get(accountId)
    const account = known ?? this.addAccount({ accountId, appId, appSecret })
    const made: OfficialNumber = {
      phoneId,
      accountId: account.id,
      number,
      token: newToken(),
      isTokenExpired: false,
      verifiedName: `Sandbox ${number.slice(-4)}`,
      ...APPROVED,
      calling: {},
      restrictions: [],
      canBusinessCall: true,
      hasMediaWatchdog: false,
      windowErrors: 'answer',
      throughput: null,
      webhookUrl: null,
      businessPublicKey: null,
    }
    this.#numbers.set(phoneId, made)
    this.#byDigits.set(number, made)
    this.#give(made, made.token)
    this.patch(made, { accessToken, ...rest })
    return made
  }

  /** Sets the given fields. */
  patch(number: OfficialNumber, { accessToken, ...patch }: NumberPatch): void {
    if (accessToken !== undefined) this.#give(number, accessToken)
    Object.assign(number, Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)))
  }

  /** Gives a number its token; several numbers may share one. */
  #give(number: OfficialNumber, token: string): void {
    const others = (this.#byToken.get(number.token) ?? []).filter((other) => other !== number)
    if (others.length > 0) this.#byToken.set(number.token, others)
    else this.#byToken.delete(number.token)
    number.token = token
    this.#byToken.set(token, [...(this.#byToken.get(token) ?? []), number])
  }

  account(id: string): OfficialAccount | null {
    return this.#accounts.get(id) ?? null
  }

  accounts(): OfficialAccount[] {
    return [...this.#accounts.values()]
  }

  number(phoneId: string): OfficialNumber | null {
    return this.#numbers.get(phoneId) ?? null
  }

  numbers(): OfficialNumber[] {
    return [...this.#numbers.values()]
  }

  numbersOf(account: OfficialAccount): OfficialNumber[] {
    return this.numbers().filter(({ accountId }) => accountId === account.id)
  }

  byDigits(number: string): OfficialNumber | null {
    return this.#byDigits.get(number) ?? null
  }

  app(account: OfficialAccount): OfficialApp {
    const app = this.#apps.get(account.appId)
    if (!app) throw new Error('An account belongs to no app')
    return app
  }

  appById(id: string): OfficialApp | null {
    return this.#apps.get(id) ?? null
  }

  apps(): OfficialApp[] {
    return [...this.#apps.values()]
  }

  accountOf(number: OfficialNumber): OfficialAccount {
    const account = this.#accounts.get(number.accountId)
    if (!account) throw new Error('A number belongs to no account')
    return account
  }

  /** Accounts that a token opens; null for an unknown one, `expired` for one that was valid once. */
  opens(token: string): ReadonlySet<string> | 'expired' | null {
    const numbers = this.#byToken.get(token) ?? []
    if (numbers.length === 0) return null
    const good = numbers.filter(({ isTokenExpired }) => !isTokenExpired)
    return good.length === 0 ? 'expired' : new Set(good.map(({ accountId }) => accountId))
  }

  reset(): void {
    this.#apps.clear()
    this.#accounts.clear()
    this.#numbers.clear()
    this.#byDigits.clear()
    this.#byToken.clear()
  }
}
