import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import type { MessageId } from '../../src/domain/ids.ts'
import { newId } from '../../src/domain/ids.ts'
import type { SendableContent, SendableMedia, SendableMessage } from '../../src/ports/provider.ts'

export const PEER = '5511988887777'

export function text(body: string, more: Partial<SendableContent & { mode: 'text' }> = {}): SendableContent {
  return { mode: 'text', text: body, buttons: [], header: null, footer: null, ...more }
}

export function message(
  content: SendableContent,
  more: Partial<SendableMessage> = {},
): SendableMessage & { messageId: MessageId } {
  return { messageId: newId('msg'), to: { type: 'DIRECT', address: PEER }, content, quotedMessageId: null, ...more }
}

/** Writes a file on this machine that is removed with the test. */
export async function mediaFile(
  t: ExecutionContext,
  fileName: string,
  mimeType: string,
  bytes = 'bytes of a file',
): Promise<SendableMedia> {
  const folder = await mkdtemp(join(tmpdir(), 'sendable-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, fileName)
  await writeFile(path, bytes)
  return { path, mimeType, sizeBytes: bytes.length, fileName, url: `https://files.example/${fileName}`, waveform: null }
}
