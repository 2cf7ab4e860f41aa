/**
 * Measures keeping files in a bucket: one of 64 MiB, and 1,000 of 100 KiB, eight at once, through the place of files
 * (on the disk, flushed, uploaded), beside signed requests alone to the same storage. Tells MiB or files a second of
 * both, and the ratio of rounds that lie side by side.
 *
 *   node bench/files/bench.ts [rounds, 5]
 */
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import type { BucketSettings } from '../../src/domain/bucket-settings.ts'
import { BucketPlace } from '../../src/files/places/bucket-place.ts'
import { Bucket } from '../../src/files/places/bucket.ts'
import { systemClock } from '../../src/process/clock.ts'
import { createMetrics } from '../../src/process/metrics.ts'
import { pause } from '../awaited.ts'
import { median } from '../programs.ts'
import { loudLog } from '../webhooks/world.ts'

const ROUNDS = Number(process.argv[2] ?? 5)
const MIB = 1_024 * 1_024
const AT_ONCE = 8

interface Kind {
  readonly name: string
  readonly bytes: number
  readonly count: number
}
const KINDS: readonly Kind[] = [
  { name: 'one file of 64 MiB', bytes: 64 * MIB, count: 1 },
  { name: '1,000 files of 100 KiB', bytes: 100 * 1_024, count: 1_000 },
]

/** Runs `work` for each number below `count`, so many at once; resolves to the seconds that it took. */
async function seconds(count: number, work: (nth: number) => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, lane))
  return (performance.now() - startMs) / 1_000
}

/** Puts bytes by a signed request alone. */
function barePut({ url, accessKeyId, secretAccessKey, region }: BucketSettings) {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
  return async (name: string, body: Uint8Array<ArrayBuffer>): Promise<void> => {
    const answer = await client.fetch(`${url}/bare/${name}`, { method: 'PUT', body })
    if (!answer.ok) throw new Error(`the storage answered ${answer.status}`)
    await answer.arrayBuffer()
  }
}

async function measure(settings: BucketSettings, folder: string, { name, bytes, count }: Kind): Promise<void> {
  const directory = join(folder, `${bytes}`)
  const place = new BucketPlace({
    bucket: new Bucket(settings),
    directory,
    clock: systemClock,
    log: loudLog,
    metrics: createMetrics(),
  })
  await place.open()
  const bare = barePut(settings)
  const body = new Uint8Array(randomBytes(bytes))
  const original = join(folder, `original-${bytes}`)
  await writeFile(original, body)
  const [bareSeconds, placeSeconds]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    bareSeconds.push(await seconds(count, (nth) => bare(`${bytes}-${round}-${nth}`, body)))
    const made = new Date()
    placeSeconds.push(
      await seconds(count, async (nth) => {
        const path = join(folder, `sent-${nth}`)
        await copyFile(original, path)
        await place.put(`file_${bytes}_${round}_${nth}`, path, {
          createdAt: made,
          expiresAt: new Date(made.getTime() + 3_600_000),
        })
      }),
    )
    while (place.waiting > 0) await pause(20)
  }
  const [unit, amount] = count === 1 ? ['MiB', bytes / MIB] : ['files', count]
  const ratio = median(placeSeconds.map((taken, round) => (bareSeconds[round] ?? NaN) / taken))
  console.log(
    `${name}: ${(amount / median(placeSeconds)).toFixed(0)} ${unit} a second, ${(ratio * 100).toFixed(0)} % of signed requests alone (${(amount / median(bareSeconds)).toFixed(0)})`,
  )
}

const storage = fork(new URL('storage.ts', import.meta.url), [], {
  execArgv: ['--disable-warning=ExperimentalWarning'],
})
const [settings] = (await once(storage, 'message')) as [BucketSettings]
const folder = await mkdtemp(join(tmpdir(), 'cms-bench-files-'))
try {
  for (const kind of KINDS) await measure(settings, folder, kind)
} finally {
  storage.disconnect()
  await rm(folder, { recursive: true, force: true })
}
