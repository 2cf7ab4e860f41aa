import { z } from 'zod'
import { own, textIn, type Fields } from '../../../src/domain/json-fields.ts'
import { GraphError } from '../http/graph-error.ts'
import { countMismatch, formatMismatch, valueOf } from './fill-text.ts'
import type { SentButton, SentParameter } from './message-shape.ts'
import { fillPlaceholders, hasPlaceholders } from './placeholders.ts'

/** Upstream's limits of a code to copy when it is sent, and of a code of AUTHENTICATION. */
const COUPON = /^[A-Za-z0-9]{1,20}$/
const AUTHENTICATION_MAX = 15

/** A button as the user sees it. */
export interface FilledButton {
  readonly type: string
  readonly text: string | null
  readonly url?: string
  readonly phoneNumber?: string
  readonly code?: string
  /** Payload of a quick reply, which comes back when it is tapped. */
  readonly payload?: string
  /** Action of a button that has one, such as a Flow's. */
  readonly action?: Fields
  /** The Flow that the button opens. */
  readonly flow?: Fields
}

/** Types of sent components by type of button; other buttons take none. */
const SUB_TYPES: ReadonlyMap<string, SentButton['sub_type']> = new Map([
  ['QUICK_REPLY', 'quick_reply'],
  ['URL', 'url'],
  ['COPY_CODE', 'copy_code'],
  ['FLOW', 'flow'],
  ['CATALOG', 'catalog'],
  ['MPM', 'mpm'],
  ['ORDER_DETAILS', 'order_details'],
  ['PAYMENT_REQUEST', 'payment_request'],
  ['VOICE_CALL', 'voice_call'],
])

interface Place {
  readonly where: string
  readonly isAuthentication: boolean
}

function only(parameters: readonly SentParameter[], where: string): SentParameter {
  const [parameter] = parameters
  if (!parameter) throw formatMismatch(`${where} requires a parameter`)
  if (parameters.length > 1) throw countMismatch(where, parameters.length, 1)
  return parameter
}

function fillUrl(button: Fields, parameters: readonly SentParameter[], { where, isAuthentication }: Place): string {
  const url = textIn(button, 'url') ?? ''
  if (!hasPlaceholders(url)) {
    if (parameters.length > 0) throw countMismatch(where, parameters.length, 0)
    return url
  }
  const parameter = only(parameters, where)
  if (parameter.type !== 'text')
    throw formatMismatch(`${where}: Format mismatch, expected TEXT, received ${parameter.type.toUpperCase()}`)
  if (parameter.parameter_name !== undefined)
    throw formatMismatch(`${where}: Parameter name is not expected (${parameter.parameter_name})`)
  const value = valueOf(where, parameter)
  if (isAuthentication && value.length > AUTHENTICATION_MAX)
    throw new GraphError(132018, { details: `${where}: the code has more than ${AUTHENTICATION_MAX} characters` })
  return fillPlaceholders(url, () => value)
}

function couponOf(parameters: readonly SentParameter[], where: string): string {
  const parameter = only(parameters, where)
  if (parameter.type !== 'coupon_code' || !COUPON.test(parameter.coupon_code))
    throw formatMismatch(`${where}: coupon_code has to have 1 to 20 letters and digits`)
  return parameter.coupon_code
}

/** The optional parameter of a type, or null. */
function optional<T extends 'payload' | 'action'>(
  parameters: readonly SentParameter[],
  type: T,
  where: string,
): Extract<SentParameter, { type: T }> | null {
  if (parameters.length === 0) return null
  const parameter = only(parameters, where)
  if (parameter.type !== type)
    throw formatMismatch(`${where}: Format mismatch, expected ${type}, received ${parameter.type}`)
  return parameter as Extract<SentParameter, { type: T }>
}

/** The action of a Flow: a token, and data when it begins at a screen. */
const flowActionSchema = z.strictObject({
  flow_token: z.string().min(1).optional(),
  flow_action_data: z.record(z.string(), z.unknown()).optional(),
})

function flowPart(
  button: Fields,
  parameters: readonly SentParameter[],
  where: string,
): Pick<FilledButton, 'action' | 'flow'> {
  const given = optional(parameters, 'action', where)?.action
  // Upstream requires the component, though its token may be missing.
  if (!given) throw new GraphError(131009, { details: `${where}: a component of sub_type flow is missing` })
  const action = flowActionSchema.safeParse(given)
  if (!action.success) throw formatMismatch(`${where}: action has flow_token, a text, and flow_action_data, an object`)
  const flow = Object.fromEntries(
    ['flow_id', 'flow_name'].flatMap((key) => (textIn(button, key) === null ? [] : [[key, textIn(button, key)]])),
  )
  // Upstream gives a message without a token this one.
  return { action: { ...action.data, flow_token: action.data.flow_token ?? 'unused' }, flow }
}

/** What a button shows besides its type and label. */
function filledPart(
  type: string,
  button: Fields,
  parameters: readonly SentParameter[],
  place: Place,
): Omit<FilledButton, 'type' | 'text'> {
  const { where } = place
  switch (type) {
    case 'URL':
      return { url: fillUrl(button, parameters, place) }
    case 'COPY_CODE':
      return { code: couponOf(parameters, where) }
    case 'PAYMENT_REQUEST':
      return { code: valueOf(where, only(parameters, where)) }
    case 'PHONE_NUMBER':
      return { phoneNumber: textIn(button, 'phone_number') ?? '' }
    case 'QUICK_REPLY': {
      const payload = optional(parameters, 'payload', where)
      // Upstream gives the label back when no payload was sent.
      return { payload: payload?.payload ?? textIn(button, 'text') ?? '' }
    }
    case 'FLOW':
      return flowPart(button, parameters, where)
    default: {
      const action = optional(parameters, 'action', where)
      return action ? { action: action.action } : {}
    }
  }
}

/** The buttons of a template, or of a card of it, with what was sent for them. */
export function fillButtons(
  buttons: readonly Fields[],
  sent: readonly SentButton[],
  isAuthentication: boolean,
): FilledButton[] {
  const byIndex = new Map(sent.map((one) => [one.index, one]))
  if (byIndex.size !== sent.length) throw formatMismatch('buttons: two components have the same index')
  for (const { index, sub_type: subType } of sent) {
    const type = textIn(buttons[index] ?? {}, 'type') ?? ''
    if (SUB_TYPES.get(type) !== subType)
      throw formatMismatch(`buttons: Button at index ${index} of type ${subType} does not exist`)
  }
  return buttons.map((button, index) => {
    const type = String(own(button, 'type'))
    const where = `buttons: Button at index ${index} of type ${type}`
    return {
      type,
      text: textIn(button, 'text'),
      ...filledPart(type, button, byIndex.get(index)?.parameters ?? [], { where, isAuthentication }),
    }
  })
}
