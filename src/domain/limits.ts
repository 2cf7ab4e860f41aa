/** Numbers the specification or the contract fixes, each with its source. Durations in ms, sizes in bytes. */

/** contract 6: no ringing after 30 s ends an outbound call FAILED. */
export const CALL_UNRINGING_MS = 30_000
/** contract 6: nobody answered within 60 s: MISSED. */
export const CALL_RING_MS = 60_000
/** contract 6: media that never flows within 20 s of the answer: FAILED MEDIA_TIMEOUT. */
export const CALL_MEDIA_MS = 20_000
/** contract 20: a media host keeps a call whose node is gone for 60 s. */
export const CALL_ADOPTION_MS = 60_000
/** our choice: an answered call whose end only upstream can tell is given up when nothing was heard of it for a day. */
export const CALL_SILENCE_MS = 24 * 3_600_000
/** contract 3: number.disconnected after 30 s without reconnection. */
export const NUMBER_DISCONNECTED_MS = 30_000
/** contract 3: connect waits up to 10 s for the first code. */
export const PAIRING_CODE_WAIT_MS = 10_000
/** our choice: POST /v1/numbers waits this long for a first code before it answers nulls. */
export const PAIRING_CREATE_WAIT_MS = 1_500
/** contract 3: a pairing link lives 24 h. */
export const PAIRING_LINK_MS = 24 * 3_600_000
/** contract 2: first answers are replayed for 24 h. */
export const IDEMPOTENCY_MS = 24 * 3_600_000
/** contract 2: a key that was regenerated gets the answer of it again for this long. */
export const REGENERATED_REPEAT_MS = 600_000
/** contract 11: what phones encrypted for a key pair that was replaced can be read for 24 h. */
export const FLOW_KEY_GRACE_MS = 24 * 3_600_000
/** contract 11: the endpoint of a Flow answers within 8 s, connecting included; upstream waits for 10. */
export const FLOW_ENDPOINT_MS = 8_000
/** our choice: largest answer of the endpoint of a Flow. */
export const FLOW_ENDPOINT_BYTES = 1_000_000
/** our choice: a request still "running" after this long is taken for crashed. */
export const IDEMPOTENCY_LOCK_MS = 60_000

/** architecture 4: every ask has a timeout. Longest honest wait: a provider that answers slowly. */
export const ASK_TIMEOUT_MS = 20_000
/** our choice: an engine request without an answer for this long has failed. */
export const PROVIDER_REQUEST_MS = 10_000
/**
 * Asks that reach media host and provider wait for both at their slowest (each MEDIA_REQUEST_MS, PROVIDER_REQUEST_MS),
 * and for rows.
 */
export const LONG_ASK_TIMEOUT_MS = ASK_TIMEOUT_MS + PROVIDER_REQUEST_MS
/** our choice: a media-host request without an answer for this long has failed. */
export const MEDIA_REQUEST_MS = 10_000
/** our choice: messages waiting for one actor before it answers BUSY. */
export const MAILBOX_LIMIT = 1_000

/** contract 20: lease of a number; its other times follow from it (lease-times.ts). */
export const LEASE_TTL_MS = 6_000
/**
 * our choice: on the embedded database, where no other node can take anything, and a database that is slow for long is
 * no reason to close sessions.
 */
export const EMBEDDED_LEASE_TTL_MS = 15_000
/** our choice: a timer that fires this much later than it was set for says that the process did not run meanwhile. */
export const STALL_MS = 2_000

/** contract 2. */
export const BODY_BYTES = 1_000_000
export const BODY_MEDIA_BYTES = 25_000_000
/** contract 2: JSON values of a body; routes that honestly need more say so. */
export const BODY_VALUES = 20_000
export const REQUESTS_PER_MINUTE = 600
export const SENDS_PER_MINUTE = 1_200
export const FAILED_AUTH_PER_MINUTE = 20

/** Of a caller, each with a bucket of its own (contract 2). */
export interface RequestLimits {
  readonly requestsPerMinute: number
  readonly sendsPerMinute: number
}

/** contract 7 / spec: Limits, realtime session token. */
export const REALTIME_TOKEN_MS = 120_000
/** contract 21: the token of a raw audio leg, until its first socket. */
export const LEG_TOKEN_MS = 120_000
/** contract 6: files of play. */
export const PLAYBACK_BYTES = 25_000_000
export const PLAYBACK_MS = 600_000
export const PLAYBACK_QUEUE = 20

/** contract 4: a message that was never tried fails after 7 days. */
export const MESSAGE_MAX_AGE_MS = 7 * 24 * 3_600_000
/** spec: Limits, send media ceilings. Upstream counts in 1024s; so do we. */
export const IMAGE_BYTES = 5 * 1024 * 1024
export const AUDIO_BYTES = 16 * 1024 * 1024
export const VIDEO_BYTES = 16 * 1024 * 1024
export const DOCUMENT_BYTES = 100 * 1024 * 1024
/** contract 10: a sample of a template; its picture and its film are those of messages. */
export const TEMPLATE_DOCUMENT_BYTES = 10 * 1024 * 1024
/** contract 11: the document of a Flow, in UTF-8. Upstream counts in 1024s; so do we. */
export const FLOW_JSON_BYTES = 10 * 1024 * 1024
export const STICKER_BYTES = 100 * 1024
export const ANIMATED_STICKER_BYTES = 500 * 1024
export const STICKER_PIXELS = 512
/** contract 4. */
export const TEXT_LENGTH = 4_096
export const CAPTION_LENGTH = 1_024
/** Upstream's service window, counted from the user's last message. */
export const SERVICE_WINDOW_MS = 24 * 3_600_000

/**
 * contract 5: days the logs of deliveries are kept. Events as long (our choice), so that a consumer that was down can
 * catch up.
 */
export const TOLD_DAYS = 30
