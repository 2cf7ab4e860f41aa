import type { LeadPlatform, PageWebhookStatus } from '../../domain/lead.ts'
import type { UpstreamNo } from './write.ts'

/** What came of asking upstream about a Page, a form, a lead or an ad. Never throws. */
export type UpstreamRead<T> =
  | { readonly kind: 'read'; readonly value: T }
  /** Code 190: the token is dead. */
  | { readonly kind: 'token-dead'; readonly no: UpstreamNo }
  /** Codes 4, 17, 32, 613, 80000 to 80014, HTTP 429. `waitMs`: as long as upstream says; null when it does not. */
  | { readonly kind: 'throttled'; readonly no: UpstreamNo; readonly waitMs: number | null }
  /** Any other 4xx: asking again the same way is no use. */
  | { readonly kind: 'refused'; readonly no: UpstreamNo }
  /** 5xx, no answer, or one that cannot be read. */
  | { readonly kind: 'failed'; readonly no: UpstreamNo }

/** What requests about a Page authenticate with. `appsecret_proof` goes along where the app secret is known. */
export interface PageCredentials {
  readonly pageId: string
  readonly accessToken: string
  readonly appId: string
  readonly appSecret: string
}

export interface UpstreamQuestion {
  readonly key: string
  readonly label: string
  /** Upstream's own word: FULL_NAME, EMAIL, PHONE, CUSTOM, ... */
  readonly type: string
}

export interface UpstreamCheckbox {
  readonly key: string
  readonly text: string
  readonly isRequired: boolean
}

export interface UpstreamForm {
  /** Digits. */
  readonly formId: string
  readonly formName: string | null
  /** Null where upstream does not say. */
  readonly pageId: string | null
  readonly status: string
  readonly questions: readonly UpstreamQuestion[]
  readonly checkboxes: readonly UpstreamCheckbox[]
}

/** A lead as upstream shows it. Ids are digits, however upstream wrote them. */
export interface UpstreamLead {
  readonly leadgenId: string
  /** Null where it cannot be read. */
  readonly createdAt: Date | null
  readonly formId: string | null
  /** Null for 0, "0" and absent. */
  readonly adId: string | null
  readonly adName: string | null
  readonly adsetName: string | null
  readonly campaignName: string | null
  /** In upstream's order, values as typed. */
  readonly answers: readonly { readonly key: string; readonly values: readonly string[] }[]
  /** Null: upstream sent no such array. `isChecked` null: a spelling nobody knows. */
  readonly consents: readonly { readonly key: string; readonly isChecked: boolean | null }[] | null
  readonly isOrganic: boolean | null
  /** Null for anything but fb and ig. */
  readonly platform: LeadPlatform | null
}

/**
 * A Page upstream, bound to its credentials. Costs nothing until it is asked. Repeats nothing itself: who asks has a
 * schedule.
 */
export interface PagePort {
  /** `GET /{page}?fields=id,name`. The id is that of the Page that answered. */
  read(): Promise<UpstreamRead<{ readonly pageId: string; readonly pageName: string | null }>>
  /** Subscribes the app to the Page's leads, beside the fields it has: `GET`, then `POST /{page}/subscribed_apps`. */
  subscribe(): Promise<UpstreamRead<null>>
  /** Ends that: `DELETE /{page}/subscribed_apps`, unless the app has other fields of the Page, which stay. */
  unsubscribe(): Promise<UpstreamRead<null>>
  /**
   * What the app's webhook of object `page` is, set to ours where there is none, or ours lacks `leadgen`; another
   * callback is left alone. A refusal is NOT_SUBSCRIBED (contract 12, Linking).
   */
  subscribeApp(callbackUrl: string, verifyToken: string): Promise<UpstreamRead<PageWebhookStatus>>
  /** The same without changing anything. */
  appWebhook(callbackUrl: string): Promise<UpstreamRead<PageWebhookStatus>>
  /** A page of the Page's forms, at most 100, with questions and checkboxes. */
  forms(
    after: string | null,
  ): Promise<UpstreamRead<{ readonly forms: readonly UpstreamForm[]; readonly next: string | null }>>
  /** Null: there is none that the token sees (100/33, 404). */
  form(formId: string): Promise<UpstreamRead<UpstreamForm | null>>
  /** `GET /{leadgen}` with every field of contract 12. */
  lead(leadgenId: string): Promise<UpstreamRead<UpstreamLead>>
  /** A page of a form's leads between two times, both inclusive, 100 at most. It may be empty where more follow. */
  leadsOf(
    formId: string,
    range: { readonly since: Date; readonly until: Date },
    after: string | null,
  ): Promise<UpstreamRead<{ readonly leads: readonly UpstreamLead[]; readonly next: string | null }>>
}

export type PageOf = (credentials: PageCredentials) => PagePort

/** What asking for ads authenticates with. `ownerId`: whose queue of requests it is, a number's or a Page's id. */
export interface AdsCredentials {
  readonly ownerId: string
  readonly accessToken: string
  /** Null: no `appsecret_proof` goes along. */
  readonly appSecret: string | null
}

export interface AdNames {
  readonly adName: string | null
  /** Digits. */
  readonly adsetId: string | null
  readonly adsetName: string | null
  readonly campaignId: string | null
  readonly campaignName: string | null
}

export interface AdAccount {
  readonly id: string
  readonly name: string | null
}

/** Ads upstream, with one token. Repeats nothing itself. */
export interface AdsPort {
  /** `GET /{ad}?fields=name,adset{id,name},campaign{id,name}`. */
  names(adId: string): Promise<UpstreamRead<AdNames>>
  /** `GET /me/adaccounts`, up to 100 of them. */
  accounts(): Promise<UpstreamRead<readonly AdAccount[]>>
}

export type AdsOf = (credentials: AdsCredentials) => AdsPort
