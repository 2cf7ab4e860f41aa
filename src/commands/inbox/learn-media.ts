import type { KnownMedia } from '../../ports/known-media.ts'
import type { MessageFiles } from '../../ports/message-media.ts'
import type { MediaFactStore } from '../../ports/stores/media-fact-store.ts'

export interface LearnMediaDeps {
  readonly files: Pick<MessageFiles, 'hear'>
  readonly mediaFacts: MediaFactStore
}

/**
 * Stores with a message what its file is (contract 17): how long and how loud a sound, and which file where the message
 * does not name it. Rejects when the database fails.
 */
export async function learnMedia(
  { files, mediaFacts }: LearnMediaDeps,
  { numberId, messageId, fileId, sizeBytes, sound, isUnheard }: KnownMedia,
): Promise<void> {
  const heard = sound ?? (isUnheard ? await files.hear(numberId, fileId) : null)
  const facts = { ...(sizeBytes === null ? {} : { fileId, sizeBytes }), ...heard }
  if (Object.keys(facts).length > 0) await mediaFacts.learnMedia(numberId, messageId, facts)
}
