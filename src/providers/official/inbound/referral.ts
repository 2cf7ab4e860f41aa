import type { Fields } from '../../../domain/json-fields.ts'
import { SOURCE_TYPES } from '../../../domain/referral.ts'
import type { ToldReferral } from '../../../domain/referral.ts'
import { beginningOf } from '../../../domain/storable.ts'
import { objectIn, textIn } from '../values/loose.ts'

/** Our choice, in characters: upstream's texts of an ad are shorter; a longer one is cut. */
const MOST_TEXT = 4_096
/** Our choice, in characters: a longer address or id is dropped, because a part of it would lead elsewhere. */
const MOST_ADDRESS = 8_192
const MOST_ID = 255
/** Upstream's words, such as `image`. */
const MOST_WORD = 64

/**
 * What a message says of the ad or post that it came from, or null. Ids keep every digit when the message was read by
 * `parseWhole`.
 */
export function readReferral(message: Fields): ToldReferral | null {
  const told = objectIn(message, 'referral')
  const sourceType = textIn(told, 'source_type')?.toLowerCase()
  const referral: ToldReferral = {
    sourceId: boundedIn(told, 'source_id', MOST_ID),
    sourceType: SOURCE_TYPES.find((type) => type === sourceType) ?? null,
    sourceUrl: boundedIn(told, 'source_url', MOST_ADDRESS),
    headline: beginningIn(told, 'headline'),
    body: beginningIn(told, 'body'),
    mediaType: boundedIn(told, 'media_type', MOST_WORD),
    imageUrl: boundedIn(told, 'image_url', MOST_ADDRESS),
    videoUrl: boundedIn(told, 'video_url', MOST_ADDRESS),
    thumbnailUrl: boundedIn(told, 'thumbnail_url', MOST_ADDRESS),
    welcomeMessage: beginningIn(objectIn(told, 'welcome_message'), 'text'),
    // Upstream names no length; real ones have some hundred characters.
    ctwaClid: boundedIn(told, 'ctwa_clid', MOST_TEXT),
  }
  return Object.values(referral).some((value) => value !== null) ? referral : null
}

function boundedIn(fields: Fields | null, key: string, most: number): string | null {
  const text = textIn(fields, key)
  return text === null || text.length > most ? null : text
}

function beginningIn(fields: Fields | null, key: string): string | null {
  const text = textIn(fields, key)
  return text === null ? null : beginningOf(text, MOST_TEXT)
}
