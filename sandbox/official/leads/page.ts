/** A question of a form, as upstream names its parts. */
export interface LeadQuestion {
  readonly key: string
  readonly label: string
  /** FULL_NAME, EMAIL, PHONE, CUSTOM, ... */
  readonly type: string
}

export interface LeadCheckbox {
  readonly key: string
  readonly text: string
  readonly isRequired: boolean
}

/** A Page as the platform has it. */
export interface PlatformPage {
  readonly id: string
  readonly appId: string
  name: string
  token: string
  /** The token answers 190. */
  isTokenExpired: boolean
  /** What its app hears of it; null while it is not subscribed. */
  subscribedFields: ReadonlySet<string> | null
}

/** A form of a Page. */
export interface PlatformForm {
  readonly id: string
  /** Rises with each creation: what listings are ordered and continued by. */
  readonly order: number
  readonly pageId: string
  name: string
  status: string
  questions: readonly LeadQuestion[]
  checkboxes: readonly LeadCheckbox[]
}

/** What a person submitted. */
export interface PlatformLead {
  /** Digits beyond 2^53. */
  readonly id: string
  readonly order: number
  readonly pageId: string
  readonly formId: string
  /** Ms since the epoch. */
  readonly createdAtMs: number
  /** Null: organic. */
  readonly adId: string | null
  readonly isOrganic: boolean
  /** Null: upstream does not say. */
  readonly platform: string | null
  readonly answers: readonly { readonly key: string; readonly values: readonly string[] }[]
  /** By checkbox, as upstream writes it; null: it says nothing of any. */
  readonly consents: readonly { readonly key: string; readonly isChecked: unknown }[] | null
}
