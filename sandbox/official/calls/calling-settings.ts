import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { GraphError, invalid } from '../http/graph-error.ts'
import type { OfficialNumber, Registry } from '../registry/registry.ts'
import { peopleOf } from '../registry/tiers.ts'

const onOff = z.enum(['ENABLED', 'DISABLED'])
const hhmm = z.string().regex(/^([01]\d|2[0-3])[0-5]\d$/, 'is a time as HHMM')

const windowSchema = z
  .object({
    day_of_week: z.enum(['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']),
    open_time: hhmm,
    close_time: hhmm,
  })
  .refine(({ open_time, close_time }) => close_time > open_time, 'close_time is after open_time')

function areDisjoint(windows: readonly z.infer<typeof windowSchema>[]): boolean {
  return [...Map.groupBy(windows, ({ day_of_week }) => day_of_week).values()].every((day) => {
    const sorted = day.toSorted((a, b) => a.open_time.localeCompare(b.open_time))
    return (
      day.length <= 2
      && sorted.every(({ open_time }, index) => index === 0 || open_time >= (sorted[index - 1]?.close_time ?? ''))
    )
  })
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format(0)
    return true
  } catch {
    return false
  }
}

const callHoursSchema = z.object({
  status: onOff,
  timezone_id: z.string().refine(isTimeZone, 'is a time zone'),
  weekly_operating_hours: z
    .array(windowSchema)
    .min(1)
    .refine(areDisjoint, 'has at most two windows a day that do not overlap'),
  holiday_schedule: z
    .array(z.object({ date: z.iso.date(), start_time: hhmm, end_time: hhmm }))
    .max(20)
    .optional(),
})

const voicemailSchema = z.object({
  status: onOff,
  triggers: z
    .array(z.enum(['REJECT', 'TIMEOUT']))
    .min(1)
    .optional(),
  audio: z
    .object({
      default: z.object({
        announcement_media_id: z.string().optional(),
        timeout_seconds: z.int().min(0).max(30).optional(),
      }),
    })
    .optional(),
})

const sipSchema = z.object({
  status: onOff,
  servers: z
    .array(
      z.object({
        hostname: z.string().min(1),
        port: z.int().min(1).max(65_535).optional(),
        request_uri_user_params: z.record(z.string(), z.string()).optional(),
      }),
    )
    .max(1)
    .optional(),
  webhook_delivery: onOff.optional(),
})

const callingSchema = z.strictObject({
  status: onOff.optional(),
  call_icon_visibility: z.enum(['DEFAULT', 'DISABLE_ALL']).optional(),
  call_icons: z.object({ restrict_to_user_countries: z.array(z.string().regex(/^[A-Z]{2}$/)) }).optional(),
  callback_permission_status: onOff.optional(),
  call_hours: callHoursSchema.optional(),
  voicemail: voicemailSchema.optional(),
  sip: sipSchema.optional(),
  audio: z.object({ additional_codecs: z.array(z.enum(['PCMA', 'PCMU'])) }).optional(),
  srtp_key_exchange_protocol: z.enum(['DTLS', 'SDES']).optional(),
})

/** Settings whose change is told by webhook. */
const ANNOUNCED = [
  'status',
  'call_icon_visibility',
  'callback_permission_status',
  'sip',
  'srtp_key_exchange_protocol',
] as const
/** Settings that read as NOT_SET until they are set. */
const PLAIN = ['status', 'call_icon_visibility', 'callback_permission_status'] as const
const NEEDED_PEOPLE = 2_000

function statusOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'status' in value ? value.status : undefined
}

export function isCallingEnabled(number: OfficialNumber): boolean {
  return number.calling['status'] === 'ENABLED'
}

export function isSipEnabled(number: OfficialNumber): boolean {
  return statusOf(number.calling['sip']) === 'ENABLED'
}

/**
 * Refuses to enable calling below a messaging limit of 2,000, or when there is nowhere for calls to go. Numbers for
 * tests are exempt from both.
 */
function assertEnablable(number: OfficialNumber, isSipWanted: boolean, registry: Registry): void {
  if (number.accountMode === 'SANDBOX') return
  if (peopleOf(number.messagingLimitTier) < NEEDED_PEOPLE) {
    throw new GraphError(138015, {
      details: 'Calling APIs are not enabled for numbers with a messaging limit below 2000 per day',
    })
  }
  const account = registry.accountOf(number)
  const isSubscribed = account.subscription !== null && registry.app(account).fields.has('calls')
  if (!isSubscribed && !isSipWanted) {
    throw new GraphError(138018, {
      details:
        'To enable calling, the app has to be subscribed to the calls webhook field, or SIP has to be configured',
    })
  }
}

/**
 * Applies posted settings: partial, but `call_hours` replaces the whole object. Answers whether the change is told by
 * webhook.
 */
export function writeCalling(
  number: OfficialNumber,
  body: Readonly<Record<string, unknown>>,
  registry: Registry,
): boolean {
  const features = Object.keys(body).filter((name) => name !== 'messaging_product' && name !== 'access_token')
  if (features.length !== 1 || features[0] !== 'calling') throw invalid('Exactly one feature can be set: calling')
  const parsed = callingSchema.safeParse(body['calling'])
  if (!parsed.success) {
    throw invalid(parsed.error.issues.map(({ path, message }) => `calling.${path.join('.')}: ${message}`).join('; '))
  }
  const { sip, ...posted } = parsed.data
  const isSipWanted = sip ? sip.status === 'ENABLED' : isSipEnabled(number)
  if (posted.status === 'ENABLED') assertEnablable(number, isSipWanted, registry)
  const before = announcedOf(number)
  number.calling = {
    ...number.calling,
    ...present(posted),
    ...(sip ? { sip: mergeSip(number.calling['sip'], sip) } : {}),
  }
  return announcedOf(number) !== before
}

function present(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function mergeSip(stored: unknown, posted: z.infer<typeof sipSchema>): object {
  const servers = posted.servers?.map((server) => ({
    ...server,
    sip_user_password: randomBytes(16).toString('base64url'),
  }))
  return { ...(typeof stored === 'object' ? stored : {}), ...present({ ...posted, servers }) }
}

function announcedOf(number: OfficialNumber): string {
  return JSON.stringify(
    ANNOUNCED.map((name) => (name === 'sip' ? statusOf(number.calling[name]) : number.calling[name])),
  )
}

/** The `calling` object as read. The SIP password is included only when asked for. */
export function readCalling(number: OfficialNumber, withCredentials: boolean): Record<string, unknown> {
  const { sip, ...rest } = number.calling
  const shown = withCredentials
    ? sip
    : JSON.parse(
        JSON.stringify(sip ?? null, (name, value: unknown) => (name === 'sip_user_password' ? undefined : value)),
      )
  return {
    ...Object.fromEntries(PLAIN.map((name) => [name, 'NOT_SET'])),
    ...rest,
    ...(sip === undefined ? {} : { sip: shown }),
    ...(number.restrictions.length === 0 ? {} : { restrictions: { restrictions_list: number.restrictions } }),
  }
}

/** Value of `account_settings_update`. */
export function settingsUpdate(number: OfficialNumber, nowMs: number): object {
  const { status, call_icon_visibility, callback_permission_status, call_hours, sip, srtp_key_exchange_protocol } =
    number.calling
  return {
    messaging_product: 'whatsapp',
    timestamp: String(Math.floor(nowMs / 1_000)),
    type: 'phone_number_settings',
    phone_number_settings: {
      phone_number_id: number.phoneId,
      calling: present({
        status,
        call_icon_visibility,
        callback_permission_status,
        srtp_key_exchange_protocol,
        call_hours: call_hours === undefined ? undefined : { status: statusOf(call_hours) },
        sip: sip === undefined ? undefined : { status: statusOf(sip) },
      }),
    },
  }
}
