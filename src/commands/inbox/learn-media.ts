import type { KnownMedia } from '../../ports/known-media.ts'
import type { InboxPorts } from './ports.ts'

/**
 * Stores with a message what its file is, for reads of the conversation ([embeds.inbox-routes.6]): how long and how
 * loud a sound is, and which file it is when the message does not name it. Rejects when the database fails.
 */
export async function learnMedia(
  { files, mediaFacts }: Pick<InboxPorts, 'files' | 'mediaFacts'>,
  { numberId, messageId, fileId, sizeBytes, sound, isUnheard }: KnownMedia,
): Promise<void> {
  const heard = sound ?? (isUnheard ? await files.hear(numberId, fileId) : null)
  const facts = { ...(sizeBytes === null ? {} : { fileId, sizeBytes }), ...heard }
  if (Object.keys(facts).length > 0) await mediaFacts.learnMedia(numberId, messageId, facts)
}
