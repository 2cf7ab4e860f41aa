/** Numbers that the contract fixes, each with its rule, and some of our choice. Durations in ms, sizes in bytes. */

/** [calls.states.8]: no ringing after 30 s ends an outbound call FAILED. */
export const CALL_UNRINGING_MS = 30_000
/** [calls.states.6]: a call that nobody answers within 60 s ends MISSED. */
export const CALL_RING_MS = 60_000
/** [calls.states.13]: media that never flows within 20 s of the answer ends the call FAILED MEDIA_TIMEOUT. */
export const CALL_MEDIA_MS = 20_000
/** [nodes.calls.1]: a media host keeps a call whose node is gone for 60 s. */
export const CALL_ADOPTION_MS = 60_000
/** our choice: an answered call whose end only upstream can tell is given up after a day without news of it. */
export const CALL_SILENCE_MS = 24 * 3_600_000
/** [numbers.events.2]: number.disconnected is emitted after 30 s without reconnection. */
export const NUMBER_DISCONNECTED_MS = 30_000
/** [numbers.life.6]: connect waits up to 10 s for the first code. */
export const PAIRING_CODE_WAIT_MS = 10_000
/** our choice: POST /v1/numbers waits this long for a first code before it answers nulls. */
export const PAIRING_CREATE_WAIT_MS = 1_500
/** [pairing.create.3]: a pairing link lives 24 h. */
export const PAIRING_LINK_MS = 24 * 3_600_000
/** [rest.idempotency.2]: first answers are replayed for 24 h. */
export const IDEMPOTENCY_MS = 24 * 3_600_000
/** [rest.idempotency.6]: the old key gets the answer of its regeneration again for 10 minutes. */
export const REGENERATED_REPEAT_MS = 600_000
/** [flows.data-exchange.4]: a replaced key pair still reads what phones encrypted for it for 24 h. */
export const FLOW_KEY_GRACE_MS = 24 * 3_600_000
/** [flows.data-exchange.7]: the endpoint of a Flow answers within 8 s, connecting included; upstream waits for 10. */
export const FLOW_ENDPOINT_MS = 8_000
/** our choice: the largest answer of the endpoint of a Flow. */
export const FLOW_ENDPOINT_BYTES = 1_000_000
/** our choice: a request that still runs after this long counts as crashed. */
export const IDEMPOTENCY_LOCK_MS = 60_000

/** our choice: the longest that an ask waits, for a provider that answers slowly. */
export const ASK_TIMEOUT_MS = 20_000
/** our choice: an engine request without an answer for this long has failed. */
export const PROVIDER_REQUEST_MS = 10_000
/**
 * Asks that reach both media host and provider wait for both at their slowest (each MEDIA_REQUEST_MS,
 * PROVIDER_REQUEST_MS), and for the database.
 */
export const LONG_ASK_TIMEOUT_MS = ASK_TIMEOUT_MS + PROVIDER_REQUEST_MS
/** our choice: a media-host request without an answer for this long has failed. */
export const MEDIA_REQUEST_MS = 10_000
/** our choice: messages waiting for one actor before it answers BUSY. */
export const MAILBOX_LIMIT = 1_000

/** [configuration.variables.30]: the lease of a number; its other times follow from it (lease-times.ts). */
export const LEASE_TTL_MS = 6_000
/**
 * our choice for the embedded database: no other node can take anything there, so a database that is slow for long is
 * no reason to close sessions.
 */
export const EMBEDDED_LEASE_TTL_MS = 15_000
/** our choice: a timer that fires this much later than planned shows that the process did not run meanwhile. */
export const STALL_MS = 2_000

/** Bytes of a body, and of one that may hold base64 media ([rest.errors.7]). */
export const BODY_BYTES = 1_000_000
export const BODY_MEDIA_BYTES = 25_000_000
/** [rest.bounds.1]: JSON values of a body; routes that need more say so. */
export const BODY_VALUES = 20_000
export const REQUESTS_PER_MINUTE = 600
export const SENDS_PER_MINUTE = 1_200
export const FAILED_AUTH_PER_MINUTE = 20

/** Limits of a caller, each with a bucket of its own ([rest.rate-limits.1]). */
export interface RequestLimits {
  readonly requestsPerMinute: number
  readonly sendsPerMinute: number
}

/** [realtime.session.2]: the life of a realtime session token. */
export const REALTIME_TOKEN_MS = 120_000
/** [engines.pcm16.2]: the life of the token of a raw audio leg, until its first socket. */
export const LEG_TOKEN_MS = 120_000
/** Bytes, length and number of the files of play ([calls.play.5], [calls.play.6]). */
export const PLAYBACK_BYTES = 25_000_000
export const PLAYBACK_MS = 600_000
export const PLAYBACK_QUEUE = 20

/** [message-verbs.batch.2]: messages of a batch at most. */
export const BATCH_MESSAGES = 1_000
/** [message-verbs.batch.2]: bytes and JSON values of the body of a batch. */
export const BATCH_BODY_BYTES = 8_000_000
export const BATCH_BODY_VALUES = 200_000
/** [message-verbs.batch.3]: a caller may send a batch for each so many sends of its limit, 30 a minute by default. */
export const SENDS_PER_BATCH = 40

/** [messages.failures.11]: a message that was never tried fails after 7 days. */
export const MESSAGE_MAX_AGE_MS = 7 * 24 * 3_600_000
/** Ceilings of media that is sent ([media.ceilings.1] to [media.ceilings.5]). Like upstream, they count in 1024s. */
export const IMAGE_BYTES = 5 * 1024 * 1024
export const AUDIO_BYTES = 16 * 1024 * 1024
export const VIDEO_BYTES = 16 * 1024 * 1024
export const DOCUMENT_BYTES = 100 * 1024 * 1024
/** A document as sample of a template ([templates.files.4]); pictures and films have the ceilings of messages. */
export const TEMPLATE_DOCUMENT_BYTES = 10 * 1024 * 1024
/** [flows.document.1]: bytes of the document of a Flow in UTF-8. Like upstream, they count in 1024s. */
export const FLOW_JSON_BYTES = 10 * 1024 * 1024
export const STICKER_BYTES = 100 * 1024
export const ANIMATED_STICKER_BYTES = 500 * 1024
export const STICKER_PIXELS = 512
/** Characters of a text and of a caption ([messages.modes.1], [messages.modes.2]). */
export const TEXT_LENGTH = 4_096
export const CAPTION_LENGTH = 1_024
/** Upstream's service window, counted from the user's last message. */
export const SERVICE_WINDOW_MS = 24 * 3_600_000

/**
 * Our choice: a template or Flow that was removed is not imported again for so long. By then every page of a listing
 * that was read before is merged.
 */
export const REMOVED_STAYS_MS = 600_000

/**
 * [webhooks.logs.1]: days that logs of deliveries are kept. Events are kept as long (our choice), so that a consumer
 * that was down can catch up.
 */
export const TOLD_DAYS = 30
/**
 * Our choice: days that an event stays beyond its TOLD_DAYS, because logs of its deliveries read their bodies from it.
 */
export const BODY_DAYS = 1
