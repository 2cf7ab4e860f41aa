import { newId, newLongId, newToken } from '../registry/ids.ts'

/** An ad account, and the token of somebody who may see it while it is shared. */
export interface AdAccount {
  /** `act_` and digits. */
  readonly id: string
  readonly name: string
  readonly token: string
  isShared: boolean
  /** How long answers about its ads are held, ms of the platform's clock. */
  nameDelayMs: number
}

export interface Named {
  readonly id: string
  readonly name: string
}

export interface PlatformAd {
  readonly id: string
  readonly accountId: string
  name: string
  adset: Named
  campaign: Named
}

export interface NewAd {
  readonly adId?: string | undefined
  readonly name: string
  readonly adset: { readonly id?: string | undefined; readonly name: string }
  readonly campaign: { readonly id?: string | undefined; readonly name: string }
  readonly adAccountId?: string | undefined
  readonly accessToken?: string | undefined
}

export interface AdAccountPatch {
  readonly isShared?: boolean | undefined
  readonly nameDelayMs?: number | undefined
}

/** Ads and their accounts. */
export class AdBook {
  readonly #ads = new Map<string, PlatformAd>()
  readonly #accounts = new Map<string, AdAccount>()

  /** Makes the ad, or renames a known one; its account is made when unknown. */
  put({ adId = newLongId(), name, adset, campaign, adAccountId, accessToken }: NewAd): {
    readonly ad: PlatformAd
    readonly account: AdAccount
  } {
    const known = this.#ads.get(adId)
    const account = this.#accountOf(known?.accountId ?? adAccountId ?? newId(), accessToken)
    const ad: PlatformAd = {
      id: adId,
      accountId: account.id,
      name,
      adset: { id: adset.id ?? known?.adset.id ?? newLongId(), name: adset.name },
      campaign: { id: campaign.id ?? known?.campaign.id ?? newLongId(), name: campaign.name },
    }
    this.#ads.set(adId, ad)
    return { ad, account }
  }

  #accountOf(named: string, token: string = newToken()): AdAccount {
    const id = named.startsWith('act_') ? named : `act_${named}`
    const account = this.#accounts.get(id) ?? {
      id,
      name: `Sandbox ads ${id.slice(-4)}`,
      token,
      isShared: true,
      nameDelayMs: 0,
    }
    this.#accounts.set(id, account)
    return account
  }

  patch(account: AdAccount, { isShared, nameDelayMs }: AdAccountPatch): void {
    account.isShared = isShared ?? account.isShared
    account.nameDelayMs = nameDelayMs ?? account.nameDelayMs
  }

  find(id: string): PlatformAd | null {
    return this.#ads.get(id) ?? null
  }

  /** Finds an account by its id, with `act_` or without. */
  account(id: string): AdAccount | null {
    return this.#accounts.get(id) ?? this.#accounts.get(`act_${id}`) ?? null
  }

  accounts(): AdAccount[] {
    return [...this.#accounts.values()]
  }

  ads(): PlatformAd[] {
    return [...this.#ads.values()]
  }

  /** Accounts of a token, shared or not; null when nobody has the token. */
  byToken(token: string): AdAccount[] | null {
    const own = this.accounts().filter((account) => account.token === token)
    return own.length === 0 ? null : own
  }

  reset(): void {
    this.#ads.clear()
    this.#accounts.clear()
  }
}
