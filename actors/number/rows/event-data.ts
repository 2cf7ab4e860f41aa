import type { EventName, NewEvent } from '../../../src/domain/events.ts'
import type { ChannelNumber } from '../../../src/domain/number.ts'
import { toE164 } from '../../../src/domain/phone.ts'

/** Makes an event of a number ([events.data.8]): its digits as E.164 with `+`, `createdAt` that of the number. */
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
