import test from 'ava'
import type { Graph } from '../../../../src/providers/official/client/graph.ts'
import { TokenBook } from '../../../../src/providers/official/client/token-book.ts'
import { MediaUploads } from '../../../../src/providers/official/message/uploads.ts'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { CREDENTIALS } from '../scripted-graph.ts'

/**
 * An upstream that only counts uploads, because the limit is higher than the number of files that a test should send.
 */
function countingGraph() {
  const counted = { uploads: 0 }
  const graph: Graph = {
    ask: () => Promise.resolve({ ok: true, body: { id: String(++counted.uploads) } }),
    download: () => Promise.reject(new Error('nothing is downloaded')),
    tokens: new TokenBook(),
  }
  return { counted, graph }
}

function fileNumber(index: number) {
  return {
    path: `/files/${index}`,
    mimeType: 'image/png',
    sizeBytes: 4,
    fileName: 'a.png',
    url: 'https://files.example/a.png',
    waveform: null,
  }
}

test('a thousand uploads are remembered, the oldest is forgotten first', async (t) => {
  const { counted, graph } = countingGraph()
  const uploads = new MediaUploads(graph, new FakeClock())
  for (let index = 1; index <= 1_001; index++) await uploads.idOf(CREDENTIALS, fileNumber(index))
  t.deepEqual(await uploads.idOf(CREDENTIALS, fileNumber(2)), { ok: true, mediaId: '2', isKept: true })
  t.is(counted.uploads, 1_001)
  t.deepEqual(await uploads.idOf(CREDENTIALS, fileNumber(1)), { ok: true, mediaId: '1002', isKept: false })
})

test('another file at the same place is another upload', async (t) => {
  const { graph } = countingGraph()
  const uploads = new MediaUploads(graph, new FakeClock())
  t.like(await uploads.idOf(CREDENTIALS, fileNumber(1)), { mediaId: '1' })
  t.like(await uploads.idOf(CREDENTIALS, { ...fileNumber(1), sizeBytes: 5 }), { mediaId: '2' })
  t.like(await uploads.idOf(CREDENTIALS, { ...fileNumber(1), mimeType: 'image/jpeg' }), { mediaId: '3' })
})

test('only the id that was in doubt is forgotten, not the upload that replaced it', async (t) => {
  const { graph } = countingGraph()
  const uploads = new MediaUploads(graph, new FakeClock())
  await uploads.idOf(CREDENTIALS, fileNumber(1))
  await uploads.forget(CREDENTIALS, fileNumber(1), '1')
  t.like(await uploads.idOf(CREDENTIALS, fileNumber(1)), { mediaId: '2', isKept: false })
  await uploads.forget(CREDENTIALS, fileNumber(1), '1')
  t.like(await uploads.idOf(CREDENTIALS, fileNumber(1)), { mediaId: '2', isKept: true })
})
