import { open, rm } from 'node:fs/promises'
import type { RecordingFiles } from '../ports/recordings.ts'
import { orAway } from './storing.ts'
import type { Shelf } from './shelf.ts'

/** A recording ends with its call, its number or their privacy, never by time alone: 100 years, in ms. */
const KEPT_MS = 36_525 * 24 * 3_600_000

/** Makes the keeper of recordings, on the shelf of messages' files. */
export function createRecordingFiles(shelf: Shelf): RecordingFiles {
  const rethrow = orAway((error): never => {
    throw error
  })
  return {
    async keep({ callId, tenantId, numberId }, bytes) {
      const tempPath = await shelf.tempPath()
      try {
        const sizeBytes = await write(tempPath, bytes)
        const facts = { mimeType: 'audio/ogg', sizeBytes, fileName: `${callId}.ogg`, keepMs: KEPT_MS }
        return (await shelf.keep({ tempPath, tenantId, numberId, ...facts }))?.id ?? null
      } catch (error) {
        return rethrow(error)
      } finally {
        await rm(tempPath, { force: true })
      }
    },
    open: (fileId) => shelf.find(fileId).catch(rethrow),
    locate: (fileId) => shelf.locate(fileId).catch(rethrow),
    release: (fileId) => shelf.remove([fileId]),
  }
}

async function write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'wx', 0o600)
  try {
    let sizeBytes = 0
    for await (const part of bytes) {
      await file.writeFile(part)
      sizeBytes += part.length
    }
    return sizeBytes
  } finally {
    await file.close()
  }
}
