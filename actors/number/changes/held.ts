import { HELD_EVENT } from '../../../src/domain/set-aside.ts'
import type { ProviderEvent } from '../../../src/ports/provider.ts'
import type { ReadEvent } from './messages.ts'

type Told = ProviderEvent & { readonly seq: number }

/** Events of an engine that mean the same when they are told later; the others tell what was so then. */
const LASTING: ReadonlySet<Told['type']> = new Set(['messageReceived', 'messageStatus', 'messageChanged'])

/** What an engine told, as JSON text. Secrets are not in it: credentials that are old open nothing. */
export function heldEvent(event: Told): string {
  return JSON.stringify(event.type === 'credentials' ? { type: event.type } : event)
}

/**
 * The events of a change that holds what an engine told; none where nothing can be done with it later. Throws when it
 * is no JSON.
 */
export function readHeld(field: string, value: string): ReadEvent[] {
  if (field !== HELD_EVENT) return []
  const event = JSON.parse(value) as Told & { readonly at?: string }
  return LASTING.has(event.type) && event.at !== undefined
    ? [{ ...event, at: new Date(event.at) } as unknown as ReadEvent]
    : []
}
