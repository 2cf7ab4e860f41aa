/** A question of a form, with upstream's names of its parts. */
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
  /** True while the token answers 190. */
  isTokenExpired: boolean
  /** Fields that its app is subscribed to; null while it is not subscribed. */
  subscribedFields: ReadonlySet<string> | null
}

/** A form of a Page. */
export interface PlatformForm {
  readonly id: string
  /** Rises with each creation; listings are ordered and continued by it. */
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
  /** Null when the lead is organic. */
  readonly adId: string | null
  readonly isOrganic: boolean
  /** Null when upstream does not say. */
  readonly platform: string | null
  readonly answers: readonly { readonly key: string; readonly values: readonly string[] }[]
  /** Answers by checkbox, as upstream writes them; null when it tells of none. */
  readonly consents: readonly { readonly key: string; readonly isChecked: unknown }[] | null
}
