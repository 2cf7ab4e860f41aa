import { HELD_EVENT } from '../../../src/domain/set-aside.ts'
import type { ProviderEvent } from '../../../src/ports/provider.ts'
import type { ReadEvent } from './messages.ts'

type Told = ProviderEvent & { readonly seq: number }

/** Events of an engine that keep their meaning when they are told later; the others tell a state of their moment. */
const LASTING: ReadonlySet<Told['type']> = new Set([
  'messageReceived',
  'messageStatus',
  'messageChanged',
  'pollVoted',
  'peerNamed',
])

/** An event of an engine as JSON text. Credentials are left out: they are secret, and old ones open nothing. */
export function heldEvent(event: Told): string {
  return JSON.stringify(event.type === 'credentials' ? { type: event.type } : event)
}

/**
 * The events of a change that holds an event of an engine; empty when nothing can be done with it later. Throws when
 * the text is not JSON.
 */
export function readHeld(field: string, value: string): ReadEvent[] {
  if (field !== HELD_EVENT) return []
  const event = JSON.parse(value) as Told & { readonly at?: string }
  if (!LASTING.has(event.type)) return []
  if (event.at === undefined) return event.type === 'peerNamed' ? [event as unknown as ReadEvent] : []
  return [{ ...event, at: new Date(event.at) } as unknown as ReadEvent]
}
