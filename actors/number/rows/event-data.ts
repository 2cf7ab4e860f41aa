import type { EventName, NewEvent } from '../../../src/domain/events.ts'
import type { ChannelNumber } from '../../../src/domain/number.ts'
import { toE164 } from '../../../src/domain/phone.ts'

/** Makes an event of a number ([events.data.8]). Its digits are E.164 with `+`, and `createdAt` is the number's. */
export function numberEvent(event: EventName, number: ChannelNumber): NewEvent {
  return {
    event,
    data: {
      numberId: number.id,
      number: toE164(number.number),
      name: number.name,
      state: number.state,
      createdAt: number.createdAt.toISOString(),
    },
  }
}
