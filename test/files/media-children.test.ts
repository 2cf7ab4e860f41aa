import test from 'ava'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { createMediaChildren } from '../../src/files/media-children.ts'
import { systemClock } from '../../src/process/clock.ts'
import { until } from '../helpers/until.ts'
import { film, png } from './make-media.ts'
import { never } from './rig.ts'
import type { MediaChildrenOptions } from '../../src/files/media-children.ts'
import type { MediaTask } from '../../engines/media/protocol/converting.ts'

process.env['INTERNAL_SECRET'] = 'a-secret-of-the-gateway'

async function open(t: ExecutionContext<unknown>, options: Partial<MediaChildrenOptions> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'children-test-'))
  const children = createMediaChildren({ clock: systemClock, ...options })
  t.teardown(async () => {
    await children.close()
    await rm(directory, { recursive: true, force: true })
  })
  const write = async (name: string, bytes: Uint8Array) => {
    await writeFile(join(directory, name), bytes)
    return join(directory, name)
  }
  return { children, directory, write }
}

const pictureTask = (path: string): MediaTask => ({
  task: 'image',
  path,
  format: 'png',
  outPath: null,
  maxSidePixels: 1_000,
  maxPixels: 1_000_000,
  maxBytes: 1_000_000,
})
const videoTask = (path: string, outPath: string): MediaTask => ({
  task: 'video',
  path,
  format: 'matroska',
  outPath,
  convert: 'always',
  maxSeconds: 60,
  maxBytes: 16_000_000,
})

test('videos of one number never hold all children', async (t) => {
  const { children, directory, write } = await open(t)
  const webm = await write('a.webm', await film({ container: 'webm', video: 'vp8', audio: null }))
  const picture = await write('a.png', await png())
  let videosDone = 0
  const videos = [1, 2].map((at) =>
    children.work('a', videoTask(webm, join(directory, `${at}.mp4`)), never).then((outcome) => {
      videosDone++
      return outcome
    }),
  )
  // Stopping its child makes the first video last until the child continues.
  const [busy = 0] = children.stats().children
  process.kill(busy, 'SIGSTOP')
  t.true((await children.work('b', pictureTask(picture), never)).ok)
  t.is(videosDone, 0)
  process.kill(busy, 'SIGCONT')
  t.true((await Promise.all(videos)).every(({ ok }) => ok))
  t.is(children.stats().childrenStarted, 2)
})

test('work beyond the room that waits is told so at once', async (t) => {
  const { children, write } = await open(t, { maxChildren: 1, maxWaitingPerNumber: 1 })
  const picture = await write('a.png', await png())
  const all = Array.from({ length: 3 }, () => children.work('a', pictureTask(picture), never))
  const other = children.work('b', pictureTask(picture), never)
  t.deepEqual(
    (await Promise.all(all)).map((outcome) => outcome.ok || outcome.fault),
    [true, true, 'crowded'],
  )
  t.true((await other).ok)
})

test('work given up is cancelled, waiting or under way', async (t) => {
  const { children, directory, write } = await open(t, { maxChildren: 1 })
  const webm = await write('a.webm', await film({ container: 'webm', video: 'vp8', audio: null }))
  const abort = new AbortController()
  const [running, waiting] = [1, 2].map((at) =>
    children.work('a', videoTask(webm, join(directory, `${at}.mp4`)), abort.signal),
  )
  await until('a child is at work', () => children.stats().children.length === 1)
  abort.abort()
  t.deepEqual(await running, { ok: false, fault: 'cancelled' })
  t.deepEqual(await waiting, { ok: false, fault: 'cancelled' })
  t.deepEqual(await children.work('a', pictureTask(''), abort.signal), { ok: false, fault: 'cancelled' })
})

test('a child serves many files and is replaced after its share of them', async (t) => {
  const { children, write } = await open(t, { maxChildren: 1, jobsPerChild: 2 })
  const picture = await write('a.png', await png())
  for (let at = 0; at < 4; at++) t.true((await children.work('a', pictureTask(picture), never)).ok)
  t.is(children.stats().childrenStarted, 2)
})

test('a child knows no secrets and gives way to the gateway', async (t) => {
  const { children, write } = await open(t)
  await children.work('a', pictureTask(await write('a.png', await png())), never)
  const pid = children.stats().children[0] ?? 0
  t.false((await readFile(`/proc/${pid}/environ`, 'utf8')).includes('a-secret-of-the-gateway'))
  t.is(getPriority(pid), 10)
})

test('an address or another protocol in place of a path is not followed', async (t) => {
  const { children, directory, write } = await open(t)
  const webm = await write('a.webm', await film({ container: 'webm', video: 'vp8', audio: null }))
  for (const path of ['http://127.0.0.1:1/a.webm', `concat:${webm}|${webm}`, `subfile,,start,0,end,0,,:${webm}`]) {
    t.deepEqual(
      await children.work('a', videoTask(path, join(directory, 'out.mp4')), never),
      { ok: false, fault: 'unreadable' },
      path,
    )
  }
})
