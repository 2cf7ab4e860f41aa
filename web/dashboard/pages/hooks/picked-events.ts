import { EVENT_NAMES } from '../../../../src/domain/events.ts'
import type { EventName } from '../../../../src/domain/events.ts'
import type { ProviderKind } from '../../../../src/domain/number.ts'
import { NATIVE_FIELDS } from '../../../../src/domain/upstream-fields.ts'
import { canEmit, isSubscribed } from '../../../../src/domain/webhook.ts'

/** An event of the service that a webhook can choose. */
export type OwnEvent = Exclude<EventName, 'webhook.test'>

/** An event that can be chosen, and whether `*` leaves it out. */
export interface Choice<Name extends string> {
  readonly name: Name
  readonly isOptIn: boolean
}

/** The events of the service that a number of this kind emits, in the order of their table. */
export function ownEvents(provider: ProviderKind): Choice<OwnEvent>[] {
  return EVENT_NAMES.filter(isOwn)
    .filter((name) => canEmit(provider, name))
    .map((name) => ({ name, isOptIn: !isSubscribed(['*'], name, provider) }))
}

/** The fields of the native envelope that a number of this kind passes on; most kinds have none. */
export function nativeEvents(provider: ProviderKind): Choice<string>[] {
  return NATIVE_FIELDS.filter((name) => canEmit(provider, name)).map((name) => ({ name, isOptIn: false }))
}

/** Every name that a stored event may have. */
export const STORED_EVENTS: readonly string[] = [...EVENT_NAMES, ...NATIVE_FIELDS]

/** The test event is sent by its button alone. */
function isOwn(name: EventName): name is OwnEvent {
  return name !== 'webhook.test'
}
