import type { z } from 'zod'
import type { EventName } from '../../domain/events.ts'

/** An event as its receiver sees it: when it comes, and its `data`. */
export interface EventDescription {
  readonly summary: string
  readonly data: z.ZodType
  readonly example: unknown
}

export interface DescribedEvent extends EventDescription {
  readonly event: EventName
}
