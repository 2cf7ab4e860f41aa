import test from 'ava'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import type { RefusalCode } from '../../src/domain/errors.ts'
import { newId } from '../../src/domain/ids.ts'
import { createRecordingSource } from '../../src/media/held-recordings.ts'
import type { HostLink } from '../../src/media/host-link.ts'
import { codeOf, valueOf } from '../commands/outcomes.ts'

const callId = newId('call')
const OTHER = newId('call')
const BYTES = Buffer.from('recorded')

/** A host that answers `recording` with a refusal, or with the recording; `partBytes` at a time. */
function host(refusal: RefusalCode | null, partBytes = 3, dropped: string[] = [], isReady = true): HostLink {
  const ask = async (op: string, fields: { offset?: number; callId?: string }) => {
    if (op === 'dropRecording') return (dropped.push(fields.callId ?? ''), succeed(null))
    if (refusal) return fail(refuse(refusal, 'no'))
    if (op === 'recordings') return succeed({ calls: [callId, OTHER] })
    if (op === 'recording') return succeed({ sizeBytes: 7, durationMs: 20, cutShort: null })
    const { offset = 0 } = fields
    return succeed({ bytes: BYTES.subarray(offset, offset + partBytes).toString('base64') })
  }
  return { isReady, ask } as unknown as HostLink
}

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of bytes) parts.push(part)
  return Buffer.concat(parts).toString()
}

test('a recording is found on whichever host has it, and read in parts up to its whole pages', async (t) => {
  const dropped: string[] = []
  const source = createRecordingSource(() => [host('RECORDING_NOT_FOUND'), host(null, 3, dropped)])
  const held = valueOf(await source.find(callId))
  t.is(await readAll(held.bytes()), 'recorde')
  await held.drop()
  t.is(dropped.length, 1)
  await createRecordingSource(() => [host(null, 3, dropped), host(null, 3, dropped)]).drop(callId)
  t.is(dropped.length, 3)
})

test('while one host writes it, what another finds in their folder does not count', async (t) => {
  const source = createRecordingSource(() => [host(null), host('RECORDING_RUNNING')])
  t.is(codeOf(await source.find(callId)), 'RECORDING_RUNNING')
})

test('a recording that no host in step has is not found, or could not be asked for', async (t) => {
  t.is(codeOf(await createRecordingSource(() => [host('RECORDING_NOT_FOUND')]).find(callId)), 'RECORDING_NOT_FOUND')
  t.is(codeOf(await createRecordingSource(() => [host(null, 3, [], false)]).find(callId)), 'MEDIA_UNAVAILABLE')
})

test('a host that goes away, or has less than it said, is no whole recording', async (t) => {
  const held = valueOf(await createRecordingSource(() => [host(null, 0)]).find(callId))
  await t.throwsAsync(readAll(held.bytes()), { message: /less of a recording/ })
  let isThere = true
  const leaving = {
    isReady: true,
    ask: async (op: string) => {
      if (op === 'recording') return succeed({ sizeBytes: 7, durationMs: 20, cutShort: null })
      const answer = isThere ? succeed({ bytes: 'AAAA' }) : fail(refuse('MEDIA_UNAVAILABLE', 'gone'))
      isThere = false
      return answer
    },
  } as unknown as HostLink
  const cut = valueOf(await createRecordingSource(() => [leaving]).find(callId))
  await t.throwsAsync(readAll(cut.bytes()), { message: /MEDIA_UNAVAILABLE/ })
})

test('what a host has and nobody waits for is deleted there', async (t) => {
  const dropped: string[] = []
  const asked: (readonly string[])[] = []
  const hosts = [host(null, 3, dropped), host('MEDIA_UNAVAILABLE'), host(null, 3, dropped, false)]
  await createRecordingSource(() => hosts).sweep(async (calls) => (asked.push(calls), new Set([OTHER])))
  t.deepEqual([asked, dropped], [[[callId, OTHER]], [callId]])
})
