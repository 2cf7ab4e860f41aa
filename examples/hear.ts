/** A call of a sandbox peer to the bot of an example, and what its phone heard. */
import { writeFile } from 'node:fs/promises'
import { eventually } from '../tools/demo/eventually.ts'
import type { Stage, StageNumber } from './stage.ts'

/** A peer of the sandbox. */
const PEER = '5511990000001'
/** our choice, in ms: long enough for a greeting. */
const CALL_MS = 8_000
/** our choice: a machine that is busy may take minutes. */
const PATIENCE_MS = 120_000

interface Heard {
  readonly heard: { readonly ms: number; readonly lastSoundAt: string | null }
  readonly sent: { readonly ms: number }
}

/**
 * Has a peer call the number, talk for some seconds and hang up, and writes what it heard to `file`. Throws when it
 * heard no sound, or the stage has no sandbox.
 */
export async function hearBot(
  { control }: Stage,
  { digits }: StageNumber,
  { says, file }: { readonly says: 'silence' | 'tone'; readonly file: string },
): Promise<void> {
  if (!control) throw new Error('only a peer of the sandbox can be heard: SANDBOX names none')
  const { callId } = await control.rest.post<{ callId: string }>(`/control/peers/${PEER}/calls`, {
    to: digits,
    audio: says,
  })
  const look = () => control.rest.get<Heard>(`/control/calls/${callId}`)
  await eventually(
    'the peer hears the bot',
    async () => {
      const { heard, sent } = await look()
      return heard.lastSoundAt !== null && sent.ms >= CALL_MS ? true : null
    },
    PATIENCE_MS,
  )
  await control.rest.post(`/control/calls/${callId}/hangup`)
  const wav = await fetch(`${control.url}/calls/${callId}/heard.wav`)
  await writeFile(file, Buffer.from(await wav.arrayBuffer()))
  const { heard } = await look()
  console.log(`  The peer heard ${(heard.ms / 1000).toFixed(1)} s of the call: ${file}`)
}
