import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import type { Core } from '../../src/gateway/core.ts'
import { openPlace } from '../../src/gateway/open-places.ts'
import { createMetrics } from '../../src/process/metrics.ts'
import { startBucket } from '../helpers/bucket-server.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { silentLog } from '../helpers/silent.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

// [operation.files.5]
test('metrics tell how many files wait for the bucket, for how long, also over a restart, and how uploads end', async (t) => {
  const server = await startBucket(t)
  const directory = await temporaryDirectory()
  t.teardown(() => directory.remove())
  const [clock, metrics] = [new FakeClock(Date.now()), createMetrics()]
  const open = async () => {
    const chores = new Map<string, () => unknown>()
    const core = {
      config: { dataDir: directory.path, files: server.settings },
      clock,
      log: silentLog,
      metrics,
      upkeep: { add: ({ name, run }: { name: string; run: () => unknown }) => void chores.set(name, run) },
    } as unknown as Core
    const place = openPlace(core, { name: 'media', files: 'files' })
    await place.open()
    return { place, run: (name: string) => chores.get(name)?.() }
  }
  const shown = async (run: (name: string) => unknown) => {
    await run('count-waiting-media')
    const lines = (await metrics.text()).split('\n').filter((line) => /^files?_/.test(line))
    return Object.fromEntries(lines.map((line) => [line.split(' ')[0], Math.round(Number(line.split(' ')[1]))]))
  }

  const { place, run } = await open()
  server.fail('full')
  for (const name of ['file_1', 'file_2']) {
    const path = join(directory.path, name)
    await writeFile(path, name)
    await place.put(name, path, { createdAt: new Date(clock.now()), expiresAt: new Date(clock.now() + 3_600_000) })
    clock.advance(20_000)
  }
  const waiting = { 'files_waiting{kind="media"}': 2, 'file_uploads_total{outcome="failed"}': 2 }
  t.like(await shown(run), { ...waiting, 'files_waiting_age_seconds{kind="media"}': 40 })
  const again = await open()
  const restarted = await shown(again.run)
  t.like(restarted, waiting)
  // The time of a file's entry on the disk is that of the machine, which goes on while the test runs.
  t.true((restarted['files_waiting_age_seconds{kind="media"}'] ?? 0) > 10)
  server.fail(null)
  await again.run('upload-media')
  t.like(await shown(again.run), {
    'files_waiting{kind="media"}': 0,
    'files_waiting_age_seconds{kind="media"}': 0,
    'file_uploads_total{outcome="stored"}': 2,
  })
})
