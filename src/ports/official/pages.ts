import type { LeadPlatform, PageWebhookStatus } from '../../domain/lead.ts'
import type { UpstreamNo } from './write.ts'

/** The result of asking upstream about a Page, a form, a lead or an ad. Asking never throws. */
export type UpstreamRead<T> =
  | { readonly kind: 'read'; readonly value: T }
  /** Code 190: the token is dead. */
  | { readonly kind: 'token-dead'; readonly no: UpstreamNo }
  /** Codes 4, 17, 32, 613, 80000 to 80014, HTTP 429. `waitMs` is what upstream asks for; null when it does not say. */
  | { readonly kind: 'throttled'; readonly no: UpstreamNo; readonly waitMs: number | null }
  /** Any other 4xx: repeating the request is of no use. */
  | { readonly kind: 'refused'; readonly no: UpstreamNo }
  /** 5xx, no answer, or an unreadable one. */
  | { readonly kind: 'failed'; readonly no: UpstreamNo }

/**
 * The credentials of requests about a Page. `appsecret_proof` goes along when the app secret is known
 * ([leads.linking.7]).
 */
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
  /** Null when upstream does not tell it. */
  readonly pageId: string | null
  readonly status: string
  readonly questions: readonly UpstreamQuestion[]
  readonly checkboxes: readonly UpstreamCheckbox[]
}

/** A lead as upstream shows it. Ids are digits, however upstream wrote them. */
export interface UpstreamLead {
  readonly leadgenId: string
  /** Null when it cannot be read. */
  readonly createdAt: Date | null
  readonly formId: string | null
  /** Null for 0, "0" and absent ([leads.webhook.6]). */
  readonly adId: string | null
  readonly adName: string | null
  readonly adsetName: string | null
  readonly campaignName: string | null
  /** In upstream's order, values as typed. */
  readonly answers: readonly { readonly key: string; readonly values: readonly string[] }[]
  /** Null when upstream sent no such list. `isChecked` is null when its spelling is unknown. */
  readonly consents: readonly { readonly key: string; readonly isChecked: boolean | null }[] | null
  readonly isOrganic: boolean | null
  /** Null for anything but fb and ig ([leads.stored.5]). */
  readonly platform: LeadPlatform | null
}

/**
 * A Page upstream, bound to its credentials. It costs nothing until it is asked, and repeats nothing itself: its
 * callers have schedules.
 */
export interface PagePort {
  /** `GET /{page}?fields=id,name`. The id is that of the Page that answered. */
  read(): Promise<UpstreamRead<{ readonly pageId: string; readonly pageName: string | null }>>
  /** Subscribes the app to the Page's leads, beside the fields it has: `GET`, then `POST /{page}/subscribed_apps`. */
  subscribe(): Promise<UpstreamRead<null>>
  /**
   * Ends the subscription by `DELETE /{page}/subscribed_apps`, unless the app has other fields of the Page, which stay.
   */
  unsubscribe(): Promise<UpstreamRead<null>>
  /**
   * Reads the app's webhook of object `page`, and sets the service's when there is none, or when the service's lacks
   * `leadgen`. Another callback is left alone ([leads.linking.2], [leads.linking.3]). A refusal is NOT_SUBSCRIBED
   * ([leads.linking.5]).
   */
  subscribeApp(callbackUrl: string, verifyToken: string): Promise<UpstreamRead<PageWebhookStatus>>
  /** Reads the app's webhook as `subscribeApp` does, without changing anything. */
  appWebhook(callbackUrl: string): Promise<UpstreamRead<PageWebhookStatus>>
  /** Reads a page of the Page's forms, at most 100, with questions and checkboxes. */
  forms(
    after: string | null,
  ): Promise<UpstreamRead<{ readonly forms: readonly UpstreamForm[]; readonly next: string | null }>>
  /** Reads a form; null when the token sees none (100/33, 404). */
  form(formId: string): Promise<UpstreamRead<UpstreamForm | null>>
  /** `GET /{leadgen}` with every field of [leads.fetching.2]. */
  lead(leadgenId: string): Promise<UpstreamRead<UpstreamLead>>
  /**
   * Reads a page of a form's leads between two times, both inclusive, at most 100. It may be empty where more follow.
   */
  leadsOf(
    formId: string,
    range: { readonly since: Date; readonly until: Date },
    after: string | null,
  ): Promise<UpstreamRead<{ readonly leads: readonly UpstreamLead[]; readonly next: string | null }>>
}

export type PageOf = (credentials: PageCredentials) => PagePort

/** The credentials of requests about ads. `ownerId` names the queue of the requests: a number's or a Page's id. */
export interface AdsCredentials {
  readonly ownerId: string
  readonly accessToken: string
  /** Null when no `appsecret_proof` goes along. */
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

/** Ads upstream, read with one token. It repeats nothing itself. */
export interface AdsPort {
  /** `GET /{ad}?fields=name,adset{id,name},campaign{id,name}`. */
  names(adId: string): Promise<UpstreamRead<AdNames>>
  /** `GET /me/adaccounts`, up to 100 of them. */
  accounts(): Promise<UpstreamRead<readonly AdAccount[]>>
}

export type AdsOf = (credentials: AdsCredentials) => AdsPort
