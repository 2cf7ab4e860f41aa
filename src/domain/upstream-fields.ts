/** What the service knows of one field of upstream's webhooks. */
interface FieldFacts {
  /** True when it can be subscribed by name and goes out to `*` ([events.native.4]); others only make a key known. */
  readonly isForwarded: boolean
  /**
   * Who works its changes off: the actor of each number they concern, or a loop, once for the account (`account`: an
   * account has many numbers, and none of them is woken). Null when the service passes them on and uses none itself.
   */
  readonly reader: 'number' | 'account' | null
  /** It says what was in a message, or who wrote or got it: the privacy of the number withholds it from reads. */
  readonly tellsOfPerson: boolean
  /** Its values hold items with ids of upstream's, by which a repetition is known. */
  readonly hasItemIds: boolean
}

/** The facts of most fields: they are passed on, and the service itself uses none of them. */
const PASSED_ON = { isForwarded: true, reader: null, tellsOfPerson: false, hasItemIds: false } as const
/** The facts of fields about the numbers themselves: calls and messages. */
const OF_NUMBER = { ...PASSED_ON, reader: 'number', hasItemIds: true } as const
const OF_ACCOUNT = { ...PASSED_ON, reader: 'account' } as const
/** The facts of fields that are never forwarded, even to `*` ([events.native.5]). */
const HELD_BACK = { ...PASSED_ON, isForwarded: false } as const

/**
 * Every known field of upstream's webhooks, a row each: the only list of them. A new field begins here, and the
 * compiler then names the readers that must say what they make of it.
 */
export const UPSTREAM_FIELDS = {
  account_review_update: PASSED_ON,
  account_settings_update: PASSED_ON,
  account_update: OF_ACCOUNT,
  business_capability_update: OF_ACCOUNT,
  business_status_update: PASSED_ON,
  calls: OF_NUMBER,
  flows: OF_ACCOUNT,
  group_lifecycle_update: PASSED_ON,
  group_participants_update: PASSED_ON,
  group_settings_update: PASSED_ON,
  group_status_update: PASSED_ON,
  message_echoes: { ...OF_NUMBER, tellsOfPerson: true },
  message_template_components_update: OF_ACCOUNT,
  message_template_quality_update: OF_ACCOUNT,
  message_template_status_update: OF_ACCOUNT,
  messages: { ...OF_NUMBER, tellsOfPerson: true },
  payment_configuration_update: PASSED_ON,
  phone_number_name_update: PASSED_ON,
  phone_number_quality_update: OF_ACCOUNT,
  smb_message_echoes: { ...OF_NUMBER, tellsOfPerson: true },
  template_category_update: OF_ACCOUNT,
  template_correct_category_detection: OF_ACCOUNT,
  user_preferences: PASSED_ON,

  account_alerts: HELD_BACK,
  automatic_events: HELD_BACK,
  history: HELD_BACK,
  messaging_handovers: HELD_BACK,
  partner_solutions: HELD_BACK,
  security: HELD_BACK,
  smb_app_state_sync: HELD_BACK,
  standby: HELD_BACK,
  tracking_events: HELD_BACK,
} as const satisfies Readonly<Record<string, FieldFacts>>

type Table = typeof UPSTREAM_FIELDS
export type UpstreamField = keyof Table
/** Names of the rows that have these facts. */
type FieldWith<F extends Partial<FieldFacts>> = { [K in UpstreamField]: Table[K] extends F ? K : never }[UpstreamField]
/** A field that can be subscribed by name; its name is also that of the events that pass its changes on. */
export type NativeField = FieldWith<{ readonly isForwarded: true }>
/** A field whose changes the numbers work off. */
export type NumberField = FieldWith<{ readonly reader: 'number' }>
/** A field whose changes are worked off once for the account. */
export type AccountField = FieldWith<{ readonly reader: 'account' }>

const FIELDS = Object.keys(UPSTREAM_FIELDS) as UpstreamField[]

/** Upstream fields of OFFICIAL numbers that can be subscribed by name ([events.native.4]). */
export const NATIVE_FIELDS = FIELDS.filter(isNative)

/** Looks up the facts of a field by upstream's name; null for an unknown one. */
export function factsOf(field: string): FieldFacts | null {
  return Object.hasOwn(UPSTREAM_FIELDS, field) ? UPSTREAM_FIELDS[field as UpstreamField] : null
}

/** True when an upstream field is passed on as an event; none of the service's own events has such a name. */
export function isNative(field: string): field is NativeField {
  return factsOf(field)?.isForwarded === true
}

/** True when the changes of a field wait for the numbers they concern. */
export function isNumberField(field: string): field is NumberField {
  return factsOf(field)?.reader === 'number'
}

/** True when the changes of a field wait for their account. */
export function isAccountField(field: string): field is AccountField {
  return factsOf(field)?.reader === 'account'
}
