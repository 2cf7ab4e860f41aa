import { fail, succeed } from '../domain/errors.ts'
import type { CallId } from '../domain/ids.ts'
import type { RecordingFacts } from '../ports/media-control.ts'
import type { HeldRecording, RecordingSource } from '../ports/recordings.ts'
import type { HostLink } from './host-link.ts'
import { NO_HOST } from './host-protocol.ts'

/**
 * Makes the gateway's view of the recordings on its media hosts. Which host a call was at is not asked: after a restart
 * it has another name, and still the file.
 */
export function createRecordingSource(links: () => readonly HostLink[]): RecordingSource {
  return {
    async find(callId) {
      const ready = links().filter((link) => link.isReady)
      const asked = await Promise.all(
        ready.map(async (link) => ({ link, outcome: await link.ask('recording', { callId }) })),
      )
      // Hosts of one machine share a folder: while one of them writes, what another has found is not whole.
      const running = asked.find(({ outcome }) => !outcome.ok && outcome.error.code === 'RECORDING_RUNNING')
      if (running) return running.outcome as Awaited<ReturnType<RecordingSource['find']>>
      for (const { link, outcome } of asked) if (outcome.ok) return succeed(held(link, callId, outcome.value))
      const [first] = asked
      return first && !first.outcome.ok ? first.outcome : fail(NO_HOST)
    },
    async sweep(wanted) {
      for (const link of links().filter(({ isReady }) => isReady)) {
        const listed = await link.ask('recordings', {})
        if (!listed.ok || listed.value.calls.length === 0) continue
        const kept = await wanted(listed.value.calls)
        for (const callId of listed.value.calls) if (!kept.has(callId)) await link.ask('dropRecording', { callId })
      }
    },
    async drop(callId) {
      await Promise.all(links().map((link) => link.ask('dropRecording', { callId })))
    },
  }
}

function held(link: HostLink, callId: CallId, facts: RecordingFacts): HeldRecording {
  return {
    ...facts,
    bytes: () => partsOf(link, callId, facts.sizeBytes),
    async drop() {
      await link.ask('dropRecording', { callId })
    },
  }
}

async function* partsOf(link: HostLink, callId: CallId, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let offset = 0
  while (offset < sizeBytes) {
    const outcome = await link.ask('recordingPart', { callId, offset })
    if (!outcome.ok) throw new Error(`the media host gave no more of a recording (${outcome.error.code})`)
    const part = Buffer.from(outcome.value.bytes, 'base64').subarray(0, sizeBytes - offset)
    if (part.length === 0) throw new Error('the media host has less of a recording than it said')
    offset += part.length
    yield part
  }
}
