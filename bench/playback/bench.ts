/**
 * Measures what it costs to make a file playable in a call: CPU time of the child that reads it, per minute of audio.
 * It compares Ogg/Opus whose packets are played unchanged with the same packets in a file that needs a decoder (its
 * header asks for a gain of 1/256 dB), in turns. Then it measures an encoder alone: a minute of WAV through the child,
 * which encodes with FFmpeg's libopus, beside the same samples through `@evan/opus`.
 *
 *   node bench/playback/bench.ts [files a turn] [turns]
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Encoder } from '@evan/opus'
import { createFileDecoder } from '../../media-host/playback/decode.ts'
import { systemClock } from '../../src/process/clock.ts'
import { joined, voiceSource } from '../../test/helpers/audio-signal.ts'
import { oggOpus } from '../../test/helpers/ogg-files.ts'
import { silentLog } from '../../test/helpers/silent.ts'

const [files = 20, turns = 5] = process.argv.slice(2).map(Number)
const TICK_MS = 10
const FRAMES = 3_000

const directory = await mkdtemp(join(tmpdir(), 'bench-playback-'))
const decoder = createFileDecoder({
  clock: systemClock,
  log: silentLog,
  maxMs: 600_000,
  maxChildren: 1,
  jobsPerChild: Infinity,
})

/** User and system time of the child with all its threads, in ms (proc(5): fields 14 and 15). */
async function childMs(): Promise<number> {
  const stat = await readFile(`/proc/${decoder.stats().children[0]}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

async function play(path: string, format: 'ogg' | 'wav'): Promise<void> {
  let packets = 0
  const outcome = await decoder.decode({
    path,
    straightPath: `${path}.straight`,
    format,
    onPackets: (more) => void (packets += more.length),
  })
  if (!outcome.ok || packets < FRAMES) throw new Error(`${path}: ${packets} packets, ${JSON.stringify(outcome)}`)
}

async function costOf(path: string, format: 'ogg' | 'wav'): Promise<number> {
  const before = await childMs()
  for (let file = 0; file < files; file++) await play(path, format)
  return ((await childMs()) - before) / files
}

function openEncoder(): Encoder {
  const encoder = new Encoder({ channels: 1, sample_rate: 48_000, application: 'audio' })
  encoder.bitrate = 32_000
  return encoder
}

function wave(samples: Int16Array): Buffer {
  const header = Buffer.from(
    'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\xbb\0\0\0\x77\x01\0\x02\0\x10\0data\0\0\0\0',
    'latin1',
  )
  header.writeUInt32LE(36 + samples.byteLength, 4)
  header.writeUInt32LE(samples.byteLength, 40)
  return Buffer.concat([header, Buffer.from(samples.buffer)])
}

const source = voiceSource(48_000)
const frames = Array.from({ length: FRAMES }, () => source(960))
const encoder = openEncoder()
const packets = frames.map((frame) => encoder.encode(frame))
const paths = { passed: join(directory, 'passed'), decoded: join(directory, 'decoded'), wave: join(directory, 'wave') }
await writeFile(paths.passed, oggOpus(packets))
await writeFile(paths.decoded, oggOpus(packets, { gain: 1 }))
await writeFile(paths.wave, wave(joined(frames)))
await costOf(paths.passed, 'ogg')
await costOf(paths.decoded, 'ogg')

const rows = []
for (let turn = 0; turn < turns; turn++) {
  const [passedMs, decodedMs, waveMs] = [
    await costOf(paths.passed, 'ogg'),
    await costOf(paths.decoded, 'ogg'),
    await costOf(paths.wave, 'wav'),
  ]
  const other = openEncoder()
  const before = process.cpuUsage()
  for (const frame of frames) other.encode(frame)
  const { user, system } = process.cpuUsage(before)
  rows.push({
    'as it is, ms': passedMs,
    'decoded, ms': decodedMs,
    ratio: Number((passedMs / decodedMs).toFixed(3)),
    'WAV, ms': waveMs,
    '@evan/opus alone, ms': Number(((user + system) / 1_000).toFixed(1)),
  })
}
console.table(rows)
await decoder.close()
await rm(directory, { recursive: true, force: true })
