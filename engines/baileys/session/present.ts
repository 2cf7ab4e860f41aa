import type { EngineEvent, SequencedEvent } from '../protocol/engine-event.ts'
import type { StopReason } from '../socket/reconnect.ts'
import type { MediaReference } from '../translate-in/media-reference.ts'
import type { InboundMessage } from '../translate-in/message.ts'
import type { LiveSession } from './live-session.ts'

interface KeptMedia {
  readonly reference?: MediaReference
}

/** The event as it is stored: with the reference of its media instead of an address. */
export function withReference({ event, media }: InboundMessage): EngineEvent {
  if (media === null || event.content === undefined) return { ...event }
  return { ...event, content: { ...event.content, media: { ...event.content.media, reference: media } } }
}

/** Makes the event to send from a stored one, because addresses of media expire sooner than waiting events. */
export function presentEvent(live: LiveSession, event: SequencedEvent): SequencedEvent {
  const content = event['content'] as { readonly media?: KeptMedia } | undefined
  if (!content?.media?.reference) return event
  const { reference, ...media } = content.media
  return { ...event, content: { ...content, media: { url: live.media.offer(live, reference), ...media } } }
}

const HEALTH_TEXTS = {
  banned: 'The network refuses this number; the phone says why.',
  outdated: 'The network refuses this client build: update the engine, or set ENGINE_VERSION to a newer one.',
} as const

const RESTRICTION_TEXTS = {
  ok: 'The network takes messages to all chats again.',
  restricted:
    'The network refuses messages to some chats: the account is restricted for now. Write to new people less.',
} as const

/** The event on a number's health when the network begins or stops to refuse its messages. */
export function restrictionOf(level: keyof typeof RESTRICTION_TEXTS): EngineEvent {
  const code = level === 'ok' ? null : 'sends_refused'
  return { ev: 'session.health', level, code, text: RESTRICTION_TEXTS[level] }
}

/** The event on a number's health when its session stops for this reason; null for none. */
export function healthOf(reason: StopReason): EngineEvent | null {
  if (reason !== 'banned' && reason !== 'outdated') return null
  return { ev: 'session.health', level: 'restricted', code: reason, text: HEALTH_TEXTS[reason] }
}
